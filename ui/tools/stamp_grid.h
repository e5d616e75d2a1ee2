// SPDX-License-Identifier: GPL-3.0-or-later
// The candidates of a review as a grid of stamps, drawn when visible, without a widget for each.
#pragma once

#include <QAbstractScrollArea>
#include <QCache>
#include <QTimer>
#include <memory>

#include "tools/stamps.h"

namespace armilla {

class Document;
class SourceReview;

class StampGrid : public QAbstractScrollArea {
    Q_OBJECT
public:
    // Both references must outlive the widget.
    StampGrid(Document& document, SourceReview& review, QWidget* parent = nullptr);
    // Number of finished stamps, for tests.
    int readyCount() const { return static_cast<int>(ready_.count()); }

signals:
    void rowChosen(qint64 row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    int columns() const;
    int cellHeight() const;
    QRect cellAt(int place) const;
    void fit();
    void forget();
    void makeSome();
    void checkSource();
    void showCurrent();

    Document& document_;
    SourceReview& review_;
    // Map, field and size of the finished stamps.
    std::weak_ptr<const HealpixMap> map_;
    int field_ = -1, side_ = 0;
    ColorScale colors_;
    QCache<qint64, QImage> ready_{4000};
    QTimer maker_;
};

}  // namespace armilla
