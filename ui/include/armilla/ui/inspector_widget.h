// SPDX-License-Identifier: GPL-3.0-or-later
// Magnified view of one position: a gnomonic view with its own zoom that follows the cursor or is
// pinned.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <utility>

#include "armilla/session/document.h"
#include "armilla/ui/cursor_readout.h"
#include "armilla/ui/paints_over_sky.h"

class QFontMetricsF;

namespace armilla {

// The wheel zooms, a double click on the title folds the card, a drag moves the pinned position.
class InspectorWidget : public QWidget, public PaintsOverSky {
    Q_OBJECT
public:
    // The document must outlive the widget.
    explicit InspectorWidget(const Document& document, QWidget* parent = nullptr);
    ~InspectorWidget() override;

    // Follows the cursor of the sky view unless pinned. An empty cursor is ignored, so that the
    // last position stays.
    void follow(const std::optional<SkyCursor>& cursor);
    // Shows this position until unpin().
    void pin(const SkyCursor& place);
    void unpin();
    // True while the position does not follow the cursor.
    bool isPinned() const;
    // The position at the center, if any.
    std::optional<SkyCursor> place() const;
    // A line above the picture, with a short form for a narrow card; empty: none.
    void setNote(const QString& note, const QString& brief = {});
    QString note() const;
    // Width of the field of view, radians. Until the width is set, at most a quarter of the sky
    // view's.
    double fieldOfView() const;
    void setFieldOfView(double radians);
    // A collapsed card shows only its title and value.
    bool isCollapsed() const;
    void setCollapsed(bool collapsed);

    QSize sizeHint() const override;
    // Minimum useful size of the unfolded card, and size of the folded card. The heights of title
    // and value depend on the font.
    QSize leastSize() const;
    QSize foldedSize() const;
    // Size of the picture in a card of this size.
    QSize pictureSize(QSize card) const;
    void paintOver(QPainter& painter, const QRegion& region) override;

signals:
    // Position under the cursor inside the inspector, for crosses in other views.
    void cursorMoved(const std::optional<armilla::SkyCursor>& cursor);
    // Emitted by pin() and unpin().
    void pinnedChanged(bool pinned);
    // The center of the inspector has moved.
    void placeChanged();
    // The card requests another size (folded or unfolded).
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
    // The value at the left and, if it fits, the position at the right.
    std::pair<QString, QString> footer() const;
    void updateFooter();
    void paintFooter(QPainter& painter) const;
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
