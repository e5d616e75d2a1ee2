// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/maps_panel.h"

#include <QApplication>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>

#include "armilla/session/layer_links.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/stated_frame.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"
#include "models/layer_looks.h"
#include "models/map_row_delegate.h"
#include "models/maps_model.h"
#include "panels/elided_label.h"
#include "panels/small_widgets.h"

namespace armilla {
namespace {

constexpr int kRowsToSearch = 12;
constexpr size_t kMostMissing = 12;  // with a row each; further ones are counted

// The delegate paints the selection behind the text only. The space beside it has only the arrow of
// a map whose fields can be folded.
class MapsView : public QTreeView {
public:
    using QTreeView::QTreeView;
    std::function<bool(const QPoint&)> isLink;
    // Keyboard input: arrows, and Space.
    std::function<void(const QModelIndex&)> goTo;
    std::function<bool(const QModelIndex&)> toggle;
    bool isGoing = false;

protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier &&
            toggle(currentIndex()))
            return;
        const QPersistentModelIndex before(currentIndex());
        QTreeView::keyPressEvent(event);
        if (currentIndex() == before || !currentIndex().isValid()) return;
        const QScopedValueRollback guard(isGoing, true);
        goTo(currentIndex());
    }
    void mouseMoveEvent(QMouseEvent* event) override {
        QTreeView::mouseMoveEvent(event);
        viewport()->setCursor(isLink && isLink(event->pos()) ? Qt::PointingHandCursor
                                                             : Qt::ArrowCursor);
    }
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
          this)),
      filter_(new QLineEdit(this)) {
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
    view_->setDragDropMode(QAbstractItemView::InternalMove);
    view_->setExpandsOnDoubleClick(false);
    view_->setAccessibleName(tr("Layers"));
    view_->setWhatsThis(
        tr("Open maps, catalogs, images and curves, and the results made of them. A click shows a "
           "layer, Shift and a click compares it, the mark at the left hides it."));
    view_->setMinimumHeight(90);
    empty_->setProperty("role", "muted");
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    empty_->setContentsMargins(10, 4, 10, 8);
    filter_->setPlaceholderText(tr("Find a layer or field"));
    filter_->addAction(lineIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    filter_->setAccessibleName(tr("Find a layer or field"));
    filter_->hide();
    connect(filter_, &QLineEdit::textChanged, this, &MapsPanel::restoreExpansion);
    layout->addWidget(empty_);
    layout->addWidget(filter_);
    layout->addWidget(view_, 1);

    connect(view_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        const QPoint at = view_->viewport()->mapFromGlobal(QCursor::pos());
        if (MapRowDelegate::markArea(view_->visualRect(index)).contains(at) && toggleVisible(index))
            return syncCurrent();  // visibility does not change the current row
        if (frameWordsAt(at) == index)
            return popupFrames(model_->shownAt(index).entry, view_->viewport()->mapToGlobal(at));
        if (QApplication::keyboardModifiers() & Qt::ShiftModifier)
            compareRow(index);
        else
            showRow(index);
    });
    static_cast<MapsView*>(view_)->isLink = [this](const QPoint& at) {
        return frameWordsAt(at).isValid();
    };
    // The keyboard row is the active layer for the panels; the shown map stays until Return.
    static_cast<MapsView*>(view_)->goTo = [this](const QModelIndex& index) {
        document_.setActive(model_->shownAt(index).entry);
    };
    static_cast<MapsView*>(view_)->toggle = [this](const QModelIndex& index) {
        return toggleVisible(index);
    };
    connect(view_, &QTreeView::activated, this, &MapsPanel::showRow);
    connect(view_, &QTreeView::customContextMenuRequested, this, &MapsPanel::showMenu);
    const auto note = [this](const QModelIndex& index, QSet<LayerId>& to, QSet<LayerId>& from) {
        if (expanding_) return;
        to.insert(model_->shownAt(index).entry);
        from.remove(model_->shownAt(index).entry);
    };
    connect(view_, &QTreeView::collapsed, this,
            [this, note](const QModelIndex& index) { note(index, folded_, unfolded_); });
    connect(view_, &QTreeView::expanded, this,
            [this, note](const QModelIndex& index) { note(index, unfolded_, folded_); });
    connect(view_->itemDelegate(), &QAbstractItemDelegate::closeEditor, this,
            &MapsPanel::syncCurrent, Qt::QueuedConnection);
    connect(model_, &MapsModel::rowsFollowed, this, &MapsPanel::restoreExpansion);
    connect(&document_.recovery(), &LayerRecovery::missingChanged, this, &MapsPanel::showMissing);
    connect(model_, &MapsModel::renameRequested, &document_, &Document::renameLayer);
    // Queued, because the view is in the middle of a drop.
    connect(model_, &MapsModel::moveRequested, &document_, &Document::moveLayer,
            Qt::QueuedConnection);
    connect(&document_.view(), &DocumentView::shownChanged, this, &MapsPanel::followShown);
    connect(&document_, &Document::activeChanged, this, &MapsPanel::syncCurrent);
    restoreExpansion();
}

// Unfolds the shown map and parents of results, unless the user has chosen otherwise.
void MapsPanel::fold(const QModelIndex& index) {
    if (!index.data(MapsModel::LayerRole).toBool() || !model_->hasChildren(index)) return;
    const LayerId entry = model_->shownAt(index).entry;
    bool hasResults = false;
    for (int row = 0; row < model_->rowCount(index) && !hasResults; ++row)
        hasResults = model_->index(row, 0, index).data(MapsModel::LayerRole).toBool();
    const bool isSeen = entry == document_.view().shown().entry ||
                        (document_.view().comparison() != Comparison::Single &&
                         entry == document_.view().compared().entry);
    const bool open =
        unfolded_.contains(entry) || (!folded_.contains(entry) && (isSeen || hasResults));
    if (open != view_->isExpanded(index)) view_->setExpanded(index, open);
}

// Updates only the affected rows, because there may be a thousand.
void MapsPanel::followShown() {
    std::set<LayerId> either =
        std::exchange(seen_, {document_.view().shown().entry, document_.view().compared().entry});
    either.insert(seen_.begin(), seen_.end());
    if (!filter_->text().isEmpty()) return restoreExpansion();
    const QScopedValueRollback guard(expanding_, true);
    for (const LayerId layer : either)
        if (const QModelIndex index = model_->indexOfEntry(layer); index.isValid()) fold(index);
    syncCurrent();
}

void MapsPanel::restoreExpansion() {
    const QScopedValueRollback guard(expanding_, true);
    int rows = 0;
    const auto visit = [&](const auto& self, const QModelIndex& index) -> void {
        ++rows;
        for (int row = 0; row < model_->rowCount(index); ++row)
            self(self, model_->index(row, 0, index));
        fold(index);
    };
    for (int row = 0; row < model_->rowCount(); ++row) visit(visit, model_->index(row, 0));
    const bool none = document_.entries().empty() && document_.recovery().missing().empty();
    empty_->setVisible(none);
    view_->setVisible(!none);
    filter_->setVisible(rows > kRowsToSearch || !filter_->text().isEmpty());
    applyFilter();
    syncCurrent();
}

void MapsPanel::applyFilter() {
    const QString wanted = filter_->text().trimmed();
    if (!std::exchange(filtered_, !wanted.isEmpty()) && wanted.isEmpty()) return;
    // A row is visible if it, an ancestor or a descendant contains the words.
    const auto visit = [&](const auto& self, const QModelIndex& index, bool isInside) -> bool {
        const bool has =
            index.data(Qt::DisplayRole).toString().contains(wanted, Qt::CaseInsensitive);
        bool anyBelow = false;
        for (int row = 0; row < model_->rowCount(index); ++row)
            anyBelow = self(self, model_->index(row, 0, index), isInside || has) || anyBelow;
        const bool hide = !(has || anyBelow || isInside);
        if (hide != view_->isRowHidden(index.row(), index.parent()))
            view_->setRowHidden(index.row(), index.parent(), hide);
        if (anyBelow && !wanted.isEmpty()) view_->setExpanded(index, true);
        return has || anyBelow;
    };
    for (int row = 0; row < model_->rowCount(); ++row) visit(visit, model_->index(row, 0), false);
}

void MapsPanel::showMissing() {
    if (missing_) {
        missing_->hide();
        missing_->deleteLater();
        missing_ = nullptr;
    }
    if (document_.recovery().missing().empty()) return restoreExpansion();
    missing_ = new QWidget(this);
    auto* rows = new QVBoxLayout(missing_);
    rows->setContentsMargins(2, 4, 2, 2);
    rows->setSpacing(4);
    const auto& all = document_.recovery().missing();
    for (size_t i = 0; i < std::min(all.size(), kMostMissing); ++i) {
        const MissingLayer& missing = all[i];
        const LayerId id = missing.layer.id;
        auto* row = new QFrame(missing_);
        row->setProperty("role", "card");
        row->setToolTip(missing.reason);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(8, 3, 3, 3);
        line->setSpacing(2);
        auto* mark = new QLabel(row);
        mark->setPixmap(
            lineIcon(QStringLiteral("warning")).pixmap(QSize(14, 14), devicePixelRatioF()));
        auto* name = new ElidedLabel(row);
        name->setText(missing.layer.name);
        name->setAccessibleName(tr("%1, not found: %2").arg(missing.layer.name, missing.reason));
        line->addWidget(mark);
        line->addWidget(name, 1);
        const auto button = [&](const QString& icon, const QString& tip, auto act) {
            auto* made = new QToolButton(row);
            made->setIcon(lineIcon(icon));
            made->setIconSize({13, 13});
            made->setProperty("flat", true);
            made->setToolTip(tip);
            made->setAccessibleName(tip);
            line->addWidget(made);
            // Queued, because the action removes the row.
            connect(made, &QToolButton::clicked, this, act, Qt::QueuedConnection);
        };
        if (missing.layer.recipe.kind == RecipeKind::Open)
            button(QStringLiteral("search"), tr("Find the file of %1…").arg(missing.layer.name),
                   [this, id] { emit findRequested(id); });
        button(QStringLiteral("redo"), tr("Try %1 again").arg(missing.layer.name),
               [this, id] { emit retryRequested(id); });
        button(QStringLiteral("close"), tr("Close %1").arg(missing.layer.name),
               [this, id] { document_.recovery().removeMissing(id); });
        rows->addWidget(row);
    }
    if (all.size() > kMostMissing)
        rows->addWidget(mutedLabel(
            tr("and %n more", nullptr, static_cast<int>(all.size() - kMostMissing)), missing_));
    layout()->addWidget(missing_);
    restoreExpansion();
}

void MapsPanel::syncCurrent() {
    // Key navigation also visits fields that are not shown.
    if (static_cast<MapsView*>(view_)->isGoing) return;
    const Shown shown = document_.view().shown();
    const QModelIndex index = shown.entry == document_.active()
                                  ? model_->indexOf(shown)
                                  : model_->indexOfEntry(document_.active());
    if (index.isValid() && index != view_->currentIndex()) view_->setCurrentIndex(index);
}

LayerId MapsPanel::currentEntry() const {
    return model_->shownAt(view_->currentIndex()).entry;
}

// The row of a map shows the last viewed field if that belongs to this map.
void MapsPanel::showRow(const QModelIndex& index) {
    const Shown shown = model_->shownAt(index);
    const Layer* layer = document_.entry(shown.entry);
    if (!layer) return;
    document_.setActive(layer->id);
    if (!layer->map) return;
    const bool wholeMap = index.data(MapsModel::LayerRole).toBool();
    if (wholeMap && document_.view().shown().entry == shown.entry) return;
    document_.view().setShown(shown);
}

void MapsPanel::compareRow(const QModelIndex& index) {
    const Shown shown = model_->shownAt(index);
    const Layer* layer = document_.entry(shown.entry);
    if (!layer || !layer->map) return;
    const bool alone = document_.view().comparison() == Comparison::Single;
    document_.view().compare(document_.view().shown(), shown,
                             alone ? Comparison::Swipe : document_.view().comparison());
}

bool MapsPanel::toggleVisible(const QModelIndex& index) {
    const Layer* layer = document_.entry(model_->shownAt(index).entry);
    if (!layer || !looksOf(layer->kind()).hasEye) return false;
    LayerStyle style = layer->style;
    style.visible = !style.visible;
    document_.drawings().setStyle(layer->id, style);
    return true;
}

void MapsPanel::renameCurrent() {
    const QModelIndex index = model_->indexOfEntry(currentEntry());
    if (!index.isValid()) return;
    view_->setCurrentIndex(index);
    view_->edit(index);
}

void MapsPanel::moveCurrent(int step) {
    const QModelIndex index = model_->indexOfEntry(currentEntry());
    const QModelIndex beside = index.isValid() ? model_->beside(index, step) : QModelIndex();
    if (beside.isValid())
        document_.moveLayer(model_->shownAt(index).entry, model_->shownAt(beside).entry);
}

void MapsPanel::closeCurrent() {
    const Layer* entry = document_.entry(currentEntry());
    if (!entry) return;
    if (entry->live)
        document_.liveLayer().drop();
    else
        document_.removeLayer(entry->id);
}

void MapsPanel::addFrames(QMenu& menu, const Layer& layer) {
    const Frame now = factsOf(layer.kind()).frame(layer);
    const auto choice = [&](const QString& text, Frame frame) {
        QAction* action = menu.addAction(
            text, this, [this, id = layer.id, frame] { emit frameStated(id, frame); });
        action->setCheckable(true);
        action->setChecked(frame == now);
    };
    for (const Frame frame : {Frame::Galactic, Frame::Equatorial, Frame::Ecliptic})
        choice(frameTitle(frame), frame);
    if (now != Frame::Unknown) choice(tr("Unknown, as the file has it"), Frame::Unknown);
}

void MapsPanel::addMoves(QMenu& menu, const QModelIndex& index) {
    const auto move = [&](const QString& text, int step, const QKeySequence& keys) {
        QAction* action = menu.addAction(text, this, [this, step] { moveCurrent(step); });
        action->setShortcut(keys);
        action->setEnabled(model_->beside(index, step).isValid());
    };
    move(tr("Move &up"), -1, kMoveUp);
    move(tr("Move &down"), 1, kMoveDown);
}

void MapsPanel::popupFrames(LayerId id, const QPoint& global) {
    const Layer* layer = document_.entry(id);
    if (!layer || !takesStatedFrame(*layer)) return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("frames"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addFrames(*menu, *layer);
    menu->popup(global);
}

QModelIndex MapsPanel::frameWordsAt(const QPoint& position) const {
    const QModelIndex index = view_->indexAt(position);
    const auto* rows = qobject_cast<MapRowDelegate*>(view_->itemDelegate());
    if (!index.isValid() || !rows) return {};
    QStyleOptionViewItem option;
    option.widget = view_;
    option.font = view_->font();
    option.rect = view_->visualRect(index);
    return rows->frameArea(option, index).contains(position) ? index : QModelIndex();
}

void MapsPanel::showMenu(const QPoint& position) {
    const QModelIndex index = view_->indexAt(position);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    // The row stays marked while its menu is open and while it is renamed.
    connect(menu, &QMenu::aboutToHide, this, [this] {
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (!view_->indexWidget(view_->currentIndex())) syncCurrent();
            },
            Qt::QueuedConnection);
    });
    if (!index.isValid()) {
        menu->addAction(lineIcon(QStringLiteral("open")), tr("&Open…"), this,
                        &MapsPanel::openRequested);
        menu->popup(view_->viewport()->mapToGlobal(position));
        return;
    }
    view_->setCurrentIndex(index);
    const LayerId entry = model_->shownAt(index).entry;
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
                        [this, row] { compareRow(row); })
            ->setToolTip(tr("Shows this map beside the present one, with a divider to drag"));
        menu->addSeparator();
        auto* mask =
            menu->addAction(lineIcon(QStringLiteral("mask")), tr("&Use as mask for spectra"));
        mask->setCheckable(true);
        mask->setToolTip(tr("Spectra are computed outside of the pixels that are 0 here"));
        mask->setChecked(entry == maskEntry_);
        connect(mask, &QAction::toggled, this,
                [this, entry](bool on) { emit maskRequested(on ? entry : LayerId()); });
    }
    menu->addSeparator();
    if (takesStatedFrame(*layer))
        addFrames(*menu->addMenu(lineIcon(QStringLiteral("frame")), tr("State the &frame")),
                  *layer);
    menu->addAction(lineIcon(QStringLiteral("export")), tr("&Export %1…").arg(noun), this,
                    [this, entry] { emit exportRequested(entry); })
        ->setToolTip(tr("Writes the layer to a file, with the steps that made it"));
    menu->addAction(lineIcon(QStringLiteral("copy")), tr("Copy as co&mmand"), this,
                    [this, entry] { emit copyCommandRequested(entry); })
        ->setToolTip(tr("The commands that make this layer from its files, for a terminal"));
    if (isDetached(document_, *layer)) {
        auto* link = menu->addAction(lineIcon(QStringLiteral("redo")), tr("&Link again"), this,
                                     [this, entry] { linkAgain(document_, entry); });
        link->setToolTip(tr("Open what it was made from again; its values stay as they are"));
    }
    menu->addSeparator();
    const Layer* map = document_.entry(entry);
    if (map && !map->live) {
        auto* rename = menu->addAction(tr("&Rename"), this, &MapsPanel::renameCurrent);
        rename->setShortcut(Qt::Key_F2);
        addMoves(*menu, model_->indexOfEntry(entry));
    }
    menu->addAction(lineIcon(QStringLiteral("close")),
                    map && map->live ? tr("&Discard preview") : tr("&Close %1").arg(noun), this,
                    &MapsPanel::closeCurrent);
    menu->popup(view_->viewport()->mapToGlobal(position));
}

}  // namespace armilla
