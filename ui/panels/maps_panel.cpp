// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/maps_panel.h"

#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeView>
#include <QVBoxLayout>

#include "models/layer_looks.h"
#include "models/map_row_delegate.h"
#include "models/maps_model.h"
#include "ui/icons.h"
#include "ui/theme.h"

namespace armilla {
namespace {

// The delegate draws the selection over the text alone; beside it stands only the arrow of a map
// whose fields can be folded away.
class MapsView : public QTreeView {
public:
    using QTreeView::QTreeView;

protected:
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override {
        drawBranches(painter, option.rect, index);
        QStyleOptionViewItem cell = option;
        cell.rect = visualRect(index);
        if (selectionModel()->isSelected(index)) cell.state |= QStyle::State_Selected;
        if (index == currentIndex() && hasFocus()) cell.state |= QStyle::State_HasFocus;
        const QPoint mouse = viewport()->mapFromGlobal(QCursor::pos());
        if (viewport()->underMouse() && cell.rect.contains(mouse))
            cell.state |= QStyle::State_MouseOver;
        itemDelegateForIndex(index)->paint(painter, cell, index);
    }
    void drawBranches(QPainter* painter, const QRect& rect,
                      const QModelIndex& index) const override {
        if (!model()->hasChildren(index)) return;
        const Theme& theme = Theme::of(this);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(theme.textMuted, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->translate(visualRect(index).left() - 0.5 * indentation(), rect.center().y());
        const QPointF open[] = {{-3.2, -1.6}, {0, 1.6}, {3.2, -1.6}};
        const QPointF shut[] = {{-1.6, -3.2}, {1.6, 0}, {-1.6, 3.2}};
        painter->drawPolyline(isExpanded(index) ? open : shut, 3);
        painter->restore();
    }
};

}  // namespace

MapsPanel::MapsPanel(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      model_(new MapsModel(document, this)),
      view_(new MapsView(this)),
      empty_(new QLabel(
          tr("Nothing is open.\nDrop a map or a catalog on the window,\nor open one with %1.")
              .arg(QKeySequence(QKeySequence::Open).toString(QKeySequence::NativeText)),
          this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 0, 4, 4);
    layout->setSpacing(0);
    view_->setObjectName(QStringLiteral("mapsList"));
    view_->setModel(model_);
    view_->setItemDelegate(new MapRowDelegate(document_, view_));
    view_->setHeaderHidden(true);
    view_->setIndentation(12);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setUniformRowHeights(false);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->setEditTriggers(QAbstractItemView::EditKeyPressed);
    view_->setMouseTracking(true);
    view_->setExpandsOnDoubleClick(false);
    view_->setAccessibleName(tr("Layers"));
    view_->setMinimumHeight(90);
    empty_->setProperty("role", "muted");
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    empty_->setContentsMargins(10, 4, 10, 8);
    layout->addWidget(empty_);
    layout->addWidget(view_, 1);

    connect(view_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        const QPoint at = view_->viewport()->mapFromGlobal(QCursor::pos());
        if (MapRowDelegate::markArea(view_->visualRect(index)).contains(at) && toggleVisible(index))
            return;
        if (QApplication::keyboardModifiers() & Qt::ShiftModifier)
            compareRow(index);
        else
            showRow(index);
    });
    connect(view_, &QTreeView::activated, this, &MapsPanel::showRow);
    connect(view_, &QTreeView::customContextMenuRequested, this, &MapsPanel::showMenu);
    connect(view_, &QTreeView::collapsed, this,
            [this](const QModelIndex& index) { folded_.insert(model_->shownAt(index).entry); });
    connect(view_, &QTreeView::expanded, this,
            [this](const QModelIndex& index) { folded_.remove(model_->shownAt(index).entry); });
    connect(model_, &MapsModel::modelReset, this, &MapsPanel::restoreExpansion);
    connect(model_, &MapsModel::renameRequested, &document_, &Document::renameLayer);
    connect(&document_, &Document::shownChanged, this, &MapsPanel::syncCurrent);
    connect(&document_, &Document::activeChanged, this, &MapsPanel::syncCurrent);
    restoreExpansion();
}

void MapsPanel::restoreExpansion() {
    const QSignalBlocker quiet(view_);
    view_->expandAll();
    for (const int entry : std::as_const(folded_)) {
        const QModelIndex index = model_->indexOfEntry(entry);
        if (index.isValid()) view_->collapse(index);
    }
    const bool none = document_.entries().empty();
    empty_->setVisible(none);
    view_->setVisible(!none);
    syncCurrent();
}

void MapsPanel::syncCurrent() {
    const Shown shown = document_.shown();
    const QModelIndex index = shown.entry == document_.active()
                                  ? model_->indexOf(shown)
                                  : model_->indexOfEntry(document_.active());
    if (index.isValid() && index != view_->currentIndex()) view_->setCurrentIndex(index);
}

int MapsPanel::currentEntry() const {
    return model_->shownAt(view_->currentIndex()).entry;
}

// The row of a map stands for the field last looked at if that is a field of this map.
void MapsPanel::showRow(const QModelIndex& index) {
    const Shown shown = model_->shownAt(index);
    const Layer* layer = document_.entry(shown.entry);
    if (!layer) return;
    document_.setActive(layer->id);
    if (!layer->map) return;
    const bool wholeMap = index.data(MapsModel::LayerRole).toBool();
    if (wholeMap && document_.shown().entry == shown.entry) return;
    document_.setShown(shown);
}

void MapsPanel::compareRow(const QModelIndex& index) {
    const Shown shown = model_->shownAt(index);
    const Layer* layer = document_.entry(shown.entry);
    if (!layer || !layer->map) return;
    const bool alone = document_.comparison() == Comparison::Single;
    document_.compare(document_.shown(), shown, alone ? Comparison::Swipe : document_.comparison());
}

bool MapsPanel::toggleVisible(const QModelIndex& index) {
    const Layer* layer = document_.entry(model_->shownAt(index).entry);
    if (!layer || !looksOf(layer->kind()).hasEye) return false;
    LayerStyle style = layer->style;
    style.visible = !style.visible;
    document_.setStyle(layer->id, style);
    return true;
}

void MapsPanel::renameCurrent() {
    const QModelIndex index = model_->indexOfEntry(currentEntry());
    if (!index.isValid()) return;
    view_->setCurrentIndex(index);
    view_->edit(index);
}

void MapsPanel::closeCurrent() {
    const Layer* entry = document_.entry(currentEntry());
    if (!entry) return;
    if (entry->live)
        document_.dropLive();
    else
        document_.removeLayer(entry->id);
}

void MapsPanel::showMenu(const QPoint& position) {
    const QModelIndex index = view_->indexAt(position);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!index.isValid()) {
        menu->addAction(lineIcon(QStringLiteral("open")), tr("&Open…"), this,
                        &MapsPanel::openRequested);
        menu->popup(view_->viewport()->mapToGlobal(position));
        return;
    }
    view_->setCurrentIndex(index);
    const int entry = model_->shownAt(index).entry;
    const QPersistentModelIndex row(index);
    const Layer* layer = document_.entry(entry);
    if (!layer) return;
    const QString noun = factsOf(layer->kind()).noun();
    if (looksOf(layer->kind()).hasEye) {
        menu->addAction(layer->style.visible ? tr("&Hide") : tr("&Show"), this,
                        [this, row] { toggleVisible(row); });
    } else {
        menu->addAction(tr("&Show"), this, [this, row] { showRow(row); });
        menu->addAction(tr("Co&mpare with this (Shift+click)"), this,
                        [this, row] { compareRow(row); });
        menu->addSeparator();
        auto* mask =
            menu->addAction(lineIcon(QStringLiteral("mask")), tr("&Use as mask for spectra"));
        mask->setCheckable(true);
        mask->setChecked(entry == maskEntry_);
        connect(mask, &QAction::toggled, this,
                [this, entry](bool on) { emit maskRequested(on ? entry : -1); });
    }
    menu->addSeparator();
    menu->addAction(lineIcon(QStringLiteral("export")), tr("&Export %1…").arg(noun), this,
                    [this, entry] { emit exportRequested(entry); });
    menu->addAction(lineIcon(QStringLiteral("copy")), tr("Copy as co&mmand"), this,
                    [this, entry] { emit copyCommandRequested(entry); });
    menu->addSeparator();
    const Layer* map = document_.entry(entry);
    if (map && !map->live) {
        auto* rename = menu->addAction(tr("&Rename"), this, &MapsPanel::renameCurrent);
        rename->setShortcut(Qt::Key_F2);
    }
    menu->addAction(lineIcon(QStringLiteral("close")),
                    map && map->live ? tr("&Discard preview") : tr("&Close %1").arg(noun), this,
                    &MapsPanel::closeCurrent);
    menu->popup(view_->viewport()->mapToGlobal(position));
}

}  // namespace armilla
