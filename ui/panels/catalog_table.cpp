// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/catalog_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "armilla/core/row_expression.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/known_operations.h"
#include "armilla/session/english_plurals.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/stand_in.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"
#include "models/catalog_model.h"
#include "panels/column_card.h"
#include "panels/elided_label.h"
#include "panels/small_widgets.h"
#include "panels/widget_role.h"

namespace armilla {
namespace {

// A pause in typing after which the filter applies, milliseconds.
constexpr int kPause = 250;
// Marked rows beyond this number are hard to tell from the rest, and cost time with every step.
constexpr int64_t kMostPicked = 100000;
constexpr int64_t kMostCopied = 100000;
constexpr int kLeastHeight = 64;
constexpr double kPickedEdge = 7.0;  // the ring around a marker, logical pixels
const QString kRowsSlot = QStringLiteral("catalog-rows");
const QString kMarkersSlot = QStringLiteral("catalog-markers");

// A slot of the job runner for one layer: the jobs of other layers go on.
QString slotOf(const QString& name, LayerId layer) {
    return QStringLiteral("%1-%2").arg(name).arg(layer.number());
}

int64_t selectedCount(const QItemSelection& ranges) {
    int64_t count = 0;
    for (const QItemSelectionRange& range : ranges) count += range.height();
    return count;
}

QToolButton* flatButton(const QString& text, const QString& tip, QWidget* parent) {
    QToolButton* button = flatToggle(text, tip, parent);
    button->setCheckable(false);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

}  // namespace

CatalogTable::CatalogTable(Document& document, JobRunner& jobs, QWidget* parent)
    : QWidget(parent),
      document_(document),
      jobs_(jobs),
      model_(new CatalogModel(this)),
      view_(new QTableView(this)),
      card_(new ColumnCard(jobs, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addWidget(buildBar());
    buildView();
    auto* both = new QHBoxLayout;
    both->setSpacing(0);
    both->addWidget(view_, 1);
    both->addWidget(card_);
    layout->addLayout(both, 1);
    card_->hide();
    connect(card_, &ColumnCard::closeRequested, this, [this] { histogram_->setChecked(false); });
    connect(card_->histogram(), &RangeHistogram::rangeMoved, this, &CatalogTable::takeRange);
    connect(histogram_, &QToolButton::toggled, this, [this](bool on) { card_->setVisible(on); });
    pause_.setSingleShot(true);
    pause_.setInterval(kPause);
    connect(&pause_, &QTimer::timeout, this, &CatalogTable::takeFilter);
    connect(filter_, &QLineEdit::textChanged, this, [this] {
        if (!isChoosing_) pause_.start();
    });
    connect(filter_, &QLineEdit::returnPressed, this, &CatalogTable::takeFilter);
    connect(&document_.view(), &DocumentView::selectionChanged, this, &CatalogTable::showSelection);
    connect(&document_, &Document::entriesChanged, this, &CatalogTable::followLayers);
    connect(&document_.drawings(), &LayerDrawings::styleChanged, this, [this](LayerId layer) {
        if (const auto found = views_.find(layer); found != views_.end() && found->second.hasGroups)
            setGroups(layer);
    });
    // Another tool has shown other markers of the catalog for a while.
    connect(&document_.drawings(), &LayerDrawings::markerGroupsChanged, this,
            [this](LayerId layer) {
                const auto found = views_.find(layer);
                if (isGrouping_ || found == views_.end() || !found->second.hasGroups) return;
                const auto groups = document_.drawings().markerGroups(layer);
                if (groups.size() == 1 && groups.front().set == document_.drawings().markers(layer))
                    setGroups(layer);
            });
    showCounts();
}

CatalogTable::~CatalogTable() = default;

QWidget* CatalogTable::buildBar() {
    auto* part = new QWidget(this);
    auto* rows = new QVBoxLayout(part);
    rows->setContentsMargins(8, 2, 8, 0);
    rows->setSpacing(2);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(4);
    filter_ = new QLineEdit(part);
    filter_->setPlaceholderText(tr("Filter, such as SNR > 5 and FLAGS == 0"));
    filter_->setToolTip(
        tr("Condition on the columns: numbers, 'texts', + - * / ^, < <= > >= == !=, and, or, not, "
           "in, abs, sqrt, log10. A click on a column heading sorts and shows its histogram."));
    filter_->setClearButtonEnabled(true);
    filter_->setAccessibleName(tr("Filter of the rows"));
    counts_ = mutedLabel({}, part);
    counts_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    center_ = flatButton(tr("Go to"), tr("Center the sky on the selected row"), part);
    histogram_ = flatToggle(tr("Histogram"), tr("Show the histogram of a column"), part);
    histogram_->setFocusPolicy(Qt::TabFocus);
    copy_ = flatButton(tr("Copy as command"),
                       tr("Copy the armilla select line that keeps the rows of the filter"), part);
    // An icon only: with all names the row would be wider than the sky beside both columns.
    copy_->setIcon(lineIcon(QStringLiteral("copy")));
    copy_->setIconSize({14, 14});
    copy_->setToolButtonStyle(Qt::ToolButtonIconOnly);
    copy_->setAccessibleName(copy_->text());
    keep_ = flatButton(tr("Keep as layer"), tr("Make a layer of the rows of the filter"), part);
    bar->addWidget(filter_, 1);
    bar->addWidget(counts_);
    for (QToolButton* button : {center_, histogram_, copy_, keep_}) bar->addWidget(button);
    rows->addLayout(bar);
    error_ = new ElidedLabel(part);
    setRole(error_, "error");
    error_->hide();
    rows->addWidget(error_);
    connect(center_, &QToolButton::clicked, this, [this] {
        const RowSelection selected = document_.view().selection();
        if (selected.layer == layer_ && layer_.isValid())
            emit centerRequested(selected.layer, selected.row);
    });
    connect(copy_, &QToolButton::clicked, this, [this] {
        if (const auto request = selection()) emit commandRequested(*request);
    });
    connect(keep_, &QToolButton::clicked, this, [this] {
        if (const auto request = selection()) emit keepRequested(*request);
    });
    return part;
}

void CatalogTable::buildView() {
    view_->setModel(model_);
    showAsRows(*view_);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setAccessibleName(tr("Rows of the catalog"));
    view_->setWhatsThis(
        tr("The rows of the catalog. A click marks a row in the sky; a click on a heading "
           "sorts the rows and shows the facts of the column."));
    QHeaderView* header = view_->horizontalHeader();
    header->setSectionsClickable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    header->setSortIndicatorShown(true);
    header->setSortIndicatorClearable(true);
    // A heading tests each selected row of its column to paint itself: 1.4 s for 1e7 rows.
    header->setSelectionModel(new QItemSelectionModel(model_, header));
    connect(header, &QHeaderView::sortIndicatorChanged, this,
            [this](int column, Qt::SortOrder order) {
                View* view = current();
                if (!view || isChoosing_) return;
                view->choice.column = column;
                view->choice.isDescending = column >= 0 && order == Qt::DescendingOrder;
                renew();
            });
    connect(header, &QHeaderView::sectionClicked, this, &CatalogTable::showColumn);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (isChoosing_ || !index.isValid() || !layer_.isValid()) return;
                const QScopedValueRollback guard(isChoosing_, true);
                const int64_t row = model_->rowAt(index.row());
                document_.view().setSelection({layer_, row});
                showCounts();
                emit rowChosen(layer_, row);
            });
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &CatalogTable::takeSelection);
    view_->setMinimumHeight(kLeastHeight);
    view_->installEventFilter(this);
}

// Copying rows takes the place of the window's own Copy while the table has the keyboard.
bool CatalogTable::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey =
        event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (watched != view_ || !isKey || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
        return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress) copyRows();
    return true;
}

CatalogTable::View* CatalogTable::current() {
    const auto found = views_.find(layer_);
    return found == views_.end() ? nullptr : &found->second;
}

QString CatalogTable::countText() const {
    return counts_->text();
}

QString CatalogTable::errorText() const {
    return error_->isHidden() ? QString() : error_->text();
}

void CatalogTable::setLayer(LayerId layer) {
    const Layer* entry = document_.entry(layer);
    const bool hasRows = entry && entry->catalog;
    if (hasRows && layer == layer_ && model_->catalog() == entry->catalog) return;
    if (pause_.isActive()) takeFilter();
    layer_ = hasRows ? layer : LayerId();
    if (hasRows) return takeCatalog(followValue(layer));
    const QScopedValueRollback guard(isChoosing_, true);
    model_->setCatalog(nullptr);
    card_->setColumn(nullptr, -1, {});
    showCounts();
}

// Drops the rows and markers of a value that another one has replaced.
CatalogTable::View& CatalogTable::followValue(LayerId layer) {
    View& view = views_[layer];
    const auto& catalog = document_.entry(layer)->catalog;
    if (view.catalog == catalog) return view;
    view.catalog = catalog;
    view.rows = nullptr;
    view.made = {};
    view.selected.clear();
    view.kept = view.picked = nullptr;
    if (view.hasGroups) setGroups(layer);
    return view;
}

// Shows another catalog, with its own filter and order.
void CatalogTable::takeCatalog(View& view) {
    const auto columns = static_cast<int>(view.catalog->table.columns.size());
    if (view.choice.column >= columns) view.choice.column = -1;
    {
        const QScopedValueRollback guard(isChoosing_, true);
        const bool isNew = model_->catalog() != view.catalog;
        model_->setCatalog(view.catalog);
        model_->setRows(view.rows);
        if (isNew) fitColumns(*view_);
        filter_->setText(view.typed);
    }
    showOrder(view);
    card_->setColumn(view.catalog, columns > 0 ? std::max(0, view.clauseColumn) : -1, view.rows);
    card_->histogram()->setRange(view.range);
    takeFilter();
    showSelection();
}

void CatalogTable::showOrder(const View& view) {
    const QScopedValueRollback guard(isChoosing_, true);
    view_->horizontalHeader()->setSortIndicator(
        view.choice.column, view.choice.isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void CatalogTable::release(LayerId layer) {
    if (!views_.contains(layer)) return;
    forget(layer);
    if (layer == layer_) setLayer({});
}

void CatalogTable::forget(LayerId layer) {
    views_.erase(layer);
    for (const QString& slot : {kRowsSlot, kMarkersSlot}) jobs_.cancelSlot(slotOf(slot, layer));
}

void CatalogTable::followLayers() {
    for (auto each = views_.begin(); each != views_.end();) {
        const LayerId layer = (each++)->first;
        const Layer* entry = document_.entry(layer);
        if (entry && entry->catalog)
            followValue(layer);
        else
            forget(layer);
    }
}

void CatalogTable::takeFilter() {
    pause_.stop();
    View* view = current();
    if (!view) return;
    view->typed = filter_->text();
    const std::string where = view->typed.trimmed().toStdString();
    try {
        if (!where.empty()) RowExpression(where, view->catalog->table);
    } catch (const Error& error) {
        showError(QString::fromStdString(error.message()));
        return renew();
    }
    showError({});
    if (!holdsClause(where, view->clause)) {
        view->clause.clear();
        view->clauseColumn = -1;
    }
    if (view->clause.empty()) card_->histogram()->setRange(view->range = {});
    view->choice.where = where;
    renew();
}

// The range becomes a part of the filter, in place of the part of an earlier range.
void CatalogTable::takeRange(const ColumnRange& range) {
    View* view = current();
    if (!view || card_->column() < 0) return;
    const TableColumn& column = view->catalog->table.columns[static_cast<size_t>(card_->column())];
    const std::string clause = rangeClause(column, range);
    const std::string before = view->clauseColumn == card_->column() ? view->clause : std::string();
    filter_->setText(QString::fromStdString(
        withClause(filter_->text().trimmed().toStdString(), before, clause)));
    view->clause = clause;
    view->clauseColumn = clause.empty() ? -1 : card_->column();
    view->range = range;
}

void CatalogTable::renew() {
    View* view = current();
    const QString slot = slotOf(kRowsSlot, layer_);
    if (!view || view->choice == view->made) {
        jobs_.cancelSlot(slot);
        return showCounts();
    }
    const auto take = [this, layer = layer_, choice = view->choice,
                       catalog = view->catalog](const RowNumbers& rows) {
        const auto found = views_.find(layer);
        if (found == views_.end() || found->second.catalog != catalog) return;
        View& made = found->second;
        made.made = choice;
        made.rows = rows;
        if (layer == layer_) showRows(made);
    };
    if (view->choice == RowChoice{}) {
        jobs_.cancelSlot(slot);
        return take({});
    }
    jobs_.run<RowNumbers>(
        tr("Rows of %1").arg(document_.entry(layer_)->name), JobLane::Preview, slot, this,
        [catalog = view->catalog, choice = view->choice](JobContext& job) {
            return chosenRows(catalog->table, choice, job);
        },
        take,
        [this, layer = layer_](const QString& line) {
            const auto found = views_.find(layer);
            if (found == views_.end()) return;
            // The rows stay as they were.
            found->second.choice = found->second.made;
            if (layer != layer_) return;
            showOrder(found->second);
            showError(line);
            showCounts();
        });
    showCounts();
}

void CatalogTable::showRows(View& view) {
    {
        const QScopedValueRollback guard(isChoosing_, true);
        model_->setRows(view.rows);
    }
    view.selected.clear();
    card_->setColumn(view.catalog, card_->column(), view.rows);
    showSelection();
    showCounts();
    makeMarkers();
}

void CatalogTable::showCounts() {
    const View* view = current();
    const bool hasRow = view && document_.view().selection().layer == layer_;
    center_->setEnabled(hasRow && view->catalog->position.lon >= 0);
    const bool isKept = selection().has_value();
    copy_->setEnabled(isKept);
    keep_->setEnabled(isKept);
    if (!view) return counts_->clear();
    const int64_t all = view->catalog->rows();
    QString text =
        view->choice.where != view->made.where
            ? tr("filtering %1 row(s)", nullptr, pluralOf(all)).arg(groupedDigits(all))
        : view->choice != view->made
            ? tr("sorting %1 row(s)", nullptr, pluralOf(all)).arg(groupedDigits(all))
        : view->choice.where.empty()
            ? tr("%1 row(s)", nullptr, pluralOf(all)).arg(groupedDigits(all))
            : tr("%1 of %2 row(s)", nullptr, pluralOf(all))
                  .arg(groupedDigits(static_cast<int64_t>(view->rows->size())), groupedDigits(all));
    if (const Layer* layer = document_.entry(layer_); layer && holdsSample(*layer))
        text += QStringLiteral(" · ") + standInText(*layer);
    if (!view->selected.empty())
        text +=
            tr(" · %1 selected").arg(groupedDigits(static_cast<int64_t>(view->selected.size())));
    counts_->setText(text);
}

void CatalogTable::showError(const QString& line) {
    error_->setText(line);
    error_->setToolTip(line);
    error_->setVisible(!line.isEmpty());
}

void CatalogTable::showColumn(int column) {
    View* view = current();
    if (!view || column < 0) return;
    const bool isOther = column != card_->column();
    card_->setColumn(view->catalog, column, view->rows);
    if (isOther && view->clauseColumn == column) card_->histogram()->setRange(view->range);
    histogram_->setChecked(true);
}

std::optional<OperationRequest> CatalogTable::selection() const {
    const auto found = views_.find(layer_);
    const Operation& select = operations::select();
    if (found == views_.end() || found->second.choice.where.empty() ||
        filter_->text().trimmed().toStdString() != found->second.choice.where)
        return std::nullopt;
    OperationRequest request{&select, select.defaults(), {}, {}};
    request.parameters.set("where", found->second.choice.where);
    request.inputs.push_back({QStringLiteral("CATALOG"), layer_, {}, {}});
    return request;
}

void CatalogTable::showSelection() {
    const RowSelection selection = document_.view().selection();
    if (isChoosing_ || !current()) return;
    const QScopedValueRollback guard(isChoosing_, true);
    const int place = selection.layer == layer_ ? model_->placeOf(selection.row) : -1;
    if (place < 0) {
        view_->clearSelection();
        view_->setCurrentIndex({});
    } else {
        const QModelIndex index = model_->index(place, 0);
        view_->setCurrentIndex(index);
        view_->scrollTo(index, QAbstractItemView::PositionAtCenter);
    }
    showCounts();
}

// Several selected rows have rings on the sky; the ring of a single one is the document's.
void CatalogTable::takeSelection() {
    View* view = current();
    if (!view) return;
    const QItemSelection ranges = view_->selectionModel()->selection();
    const int64_t count = selectedCount(ranges);
    std::vector<int64_t> rows;
    if (count > 1 && count <= kMostPicked)
        for (const QItemSelectionRange& range : ranges)
            for (int place = range.top(); place <= range.bottom(); ++place)
                rows.push_back(model_->rowAt(place));
    if (rows == view->selected) return;
    view->selected = std::move(rows);
    showCounts();
    makeMarkers();
}

void CatalogTable::makeMarkers() {
    View* view = current();
    if (!view) return;
    struct Made {
        std::shared_ptr<const MarkerSet> kept, picked;
    };
    const bool isFiltered = !view->made.where.empty();
    if (view->catalog->position.lon < 0 || (!isFiltered && view->selected.empty())) {
        jobs_.cancelSlot(slotOf(kMarkersSlot, layer_));
        view->kept = view->picked = nullptr;
        if (view->hasGroups) setGroups(layer_);
        return;
    }
    jobs_.run<Made>(
        tr("Markers"), JobLane::Preview, slotOf(kMarkersSlot, layer_), this,
        [catalog = view->catalog, rows = isFiltered ? view->rows : nullptr,
         selected = view->selected](JobContext& job) {
            Made made;
            if (rows) made.kept = MarkerSet::build(*catalog, *rows, job);
            if (!selected.empty()) made.picked = MarkerSet::build(*catalog, selected, job);
            return made;
        },
        [this, layer = layer_, catalog = view->catalog](const Made& made) {
            const auto found = views_.find(layer);
            if (found == views_.end() || found->second.catalog != catalog) return;
            found->second.kept = made.kept;
            found->second.picked = made.picked;
            setGroups(layer);
        });
}

void CatalogTable::setGroups(LayerId layer) {
    View& view = views_.at(layer);
    const Layer* entry = document_.entry(layer);
    const QScopedValueRollback guard(isGrouping_, true);
    view.hasGroups = view.kept || view.picked;
    if (!view.hasGroups || !entry) return document_.drawings().setMarkerGroups(layer, std::nullopt);
    std::vector<MarkerGroup> groups;
    if (auto set = view.kept ? view.kept : document_.drawings().markers(layer))
        groups.push_back({std::move(set), entry->style.marker});
    if (view.picked) {
        const QColor ink = Theme::of(this).measure;  // the color of the ring of a single row
        MarkerStyle ring = entry->style.marker;
        ring.shape = MarkerShape::Circle;
        ring.size = std::min(kMostMarker, ring.size + kPickedEdge);
        ring.color = {static_cast<uint8_t>(ink.red()), static_cast<uint8_t>(ink.green()),
                      static_cast<uint8_t>(ink.blue()), 255};
        groups.push_back({view.picked, ring});
    }
    document_.drawings().setMarkerGroups(layer, std::move(groups));
}

// The selected rows as text with tabs, below the names of the columns.
void CatalogTable::copyRows() {
    if (!model_->catalog()) return;
    const QItemSelection ranges = view_->selectionModel()->selection();
    if (const int64_t count = selectedCount(ranges); count > kMostCopied)
        return showError(tr("expected at most %1 rows to copy, found %2; Keep as layer and an "
                            "export write any number")
                             .arg(groupedDigits(kMostCopied), groupedDigits(count)));
    const Table& table = model_->catalog()->table;
    QStringList names;
    for (const TableColumn& column : table.columns) names << QString::fromStdString(column.name);
    QStringList lines{names.join(QLatin1Char('\t'))};
    for (const QItemSelectionRange& range : ranges)
        for (int place = range.top(); place <= range.bottom(); ++place) {
            QStringList cells;
            for (const TableColumn& column : table.columns)
                cells << QString::fromStdString(column.text(model_->rowAt(place)));
            lines << cells.join(QLatin1Char('\t'));
        }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace armilla
