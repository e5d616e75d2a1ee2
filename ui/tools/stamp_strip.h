// SPDX-License-Identifier: GPL-3.0-or-later
// The selected source: its place on every open map, and its profile beside the beam.
#pragma once

#include <QWidget>
#include <vector>

#include "tools/stamps.h"

namespace armilla {

class Document;
class SourceReview;

class StampStrip : public QWidget {
    Q_OBJECT
public:
    // Both must outlive the widget.
    StampStrip(Document& document, SourceReview& review, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {150, 100}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    // Titles of the pictures, for tests.
    QStringList titles() const;
    // Time of the latest pictures, milliseconds each.
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
    void refresh();
    int columns() const { return 3; }
    double stampSide() const;
    void paintProfile(QPainter& painter, const QRectF& area) const;

    Document& document_;
    SourceReview& review_;
    std::vector<Stamp> stamps_;
    RadialProfile profile_;
    double halfWidth_ = 0.0, milliseconds_ = 0.0;
    QString unit_;
    bool pending_ = false;
};

}  // namespace armilla
