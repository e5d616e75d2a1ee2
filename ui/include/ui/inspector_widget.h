// SPDX-License-Identifier: GPL-3.0-or-later
// A close look at one place: a gnomonic view with its own zoom that follows the cursor or is
// pinned.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <utility>

#include "session/document.h"
#include "ui/cursor_readout.h"
#include "ui/paints_over_sky.h"

class QFontMetricsF;

namespace armilla {

// The wheel zooms, a double click on the title folds the card, a drag moves the pinned place.
class InspectorWidget : public QWidget, public PaintsOverSky {
    Q_OBJECT
public:
    // The document must outlive the widget.
    explicit InspectorWidget(const Document& document, QWidget* parent = nullptr);
    ~InspectorWidget() override;

    // Where the cursor of the sky view is; followed unless pinned. An empty one is ignored, so that
    // the last place stays.
    void follow(const std::optional<SkyCursor>& cursor);
    // Shows this place until unpinned.
    void pin(const SkyCursor& place);
    void unpin();
    bool isPinned() const;
    // The place at the center, if there is one yet.
    std::optional<SkyCursor> place() const;
    // A line over the upper edge of the picture, and what stands for it where that is narrow;
    // empty: none.
    void setNote(const QString& note, const QString& brief = {});
    QString note() const;
    // Width of the field of view, radians. Until it is set, at most a quarter of the sky view's.
    double fieldOfView() const;
    void setFieldOfView(double radians);
    bool isCollapsed() const;
    void setCollapsed(bool collapsed);

    QSize sizeHint() const override;
    // The least that an unfolded card is of use with, and what of a card is its picture: title and
    // value are as high as the font.
    QSize leastSize() const;
    QSize foldedSize() const;
    QSize pictureSize(QSize card) const;
    void paintOver(QPainter& painter, const QRegion& region) override;

signals:
    // Place under the cursor inside the inspector, for the crosses in the other views.
    void cursorMoved(const std::optional<armilla::SkyCursor>& cursor);
    void pinnedChanged(bool pinned);
    void placeChanged();
    // The card wants another size (folded, unfolded).
    void layoutChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void renewIcons();
    std::optional<SkyCursor> cursorAt(QPointF position) const;
    QString titleWithin(const QFontMetricsF& metrics, double room) const;
    void paintPicture(QPainter& painter) const;
    void paintNote(QPainter& painter, const QRectF& area) const;
    // The value on its left and the place on its right, if there is room for it.
    std::pair<QString, QString> footer() const;
    void updateFooter();
    void paintFooter(QPainter& painter) const;
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
