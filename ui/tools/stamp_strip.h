// SPDX-License-Identifier: GPL-3.0-or-later
// The selected source: its position on every open map, and its profile with that of the beam.
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

#include "tools/stamps.h"

namespace armilla {

class Document;
class SourceReview;

class StampStrip : public QWidget {
    Q_OBJECT
public:
    // Both references must outlive the widget.
    StampStrip(Document& document, SourceReview& review, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {150, 100}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    // Titles of the pictures, for tests.
    QStringList titles() const;
    // Mean time of the latest pictures, milliseconds each.
    double millisecondsEach() const { return milliseconds_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Stamp {
        QString title, range;
        QImage image;
    };
    // A consistent set of painted data; the review may have moved to another search.
    struct Picture {
        std::vector<Stamp> stamps;
        StampProfile profile;
        std::optional<double> beam;
        double halfWidth = 0.0;
        QString unit;
    };
    // Stamps in progress, made in time slices.
    struct Making {
        std::vector<StampSource> sources;
        size_t next = 0;
        StampPlace place;
        StampShows shows = StampShows::Peak;
        int side = 0;
        double milliseconds = 0.0;
        Picture picture;
    };
    void refresh();
    void makeSome();
    void addStamp(const StampSource& source);
    void take(Picture picture);
    int columns() const { return 3; }
    double stampSide() const;
    void paintProfile(QPainter& painter, const QRectF& area) const;

    Document& document_;
    SourceReview& review_;
    Picture shown_;
    Making making_;
    QTimer maker_;
    double milliseconds_ = 0.0;
    bool pending_ = false;
};

}  // namespace armilla
