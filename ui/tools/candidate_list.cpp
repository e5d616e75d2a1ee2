// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/candidate_list.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSettings>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "armilla/figure/unit_text.h"
#include "armilla/session/document.h"
#include "armilla/session/source_review.h"
#include "models/candidate_model.h"
#include "models/verdict_looks.h"
#include "panels/small_widgets.h"
#include "panels/widget_role.h"
#include "tools/stamp_grid.h"

namespace armilla {
namespace {

const QString kHiddenKey = QStringLiteral("sources/hiddenColumns");

QToolButton* menuButton(const QString& text, const QString& tip, QWidget* parent) {
    QToolButton* button = toggleButton(text, tip, parent);
    button->setCheckable(false);
    button->setFocusPolicy(Qt::TabFocus);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(new QMenu(button));
    return button;
}

}  // namespace

CandidateList::CandidateList(Document& document, SourceReview& review, QWidget* parent)
    : QWidget(parent),
      document_(document),
      review_(review),
      model_(new CandidateModel(review, this)),
      pages_(new QStackedWidget(this)),
      table_(new QTableView(this)),
      grid_(new StampGrid(document, review, this)),
      filter_(new QLineEdit(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 4);
    layout->setSpacing(4);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(4);
    filter_->setPlaceholderText(tr("Filter: words of the name or note, SNR > 7, |GLAT| > 20"));
    filter_->setClearButtonEnabled(true);
    filter_->setAccessibleName(tr("Filter of the candidates"));
    buildVerdicts();
    columns_ = menuButton(tr("Columns"), tr("Choose the columns of the list"), this);
    asGrid_ = toggleButton(tr("Grid"), tr("Show the candidates as stamps (G)"), this);
    asGrid_->setFocusPolicy(Qt::TabFocus);
    counts_ = new QLabel(this);
    setRole(counts_, "muted");
    bar->addWidget(filter_, 1);
    bar->addWidget(verdicts_);
    bar->addWidget(columns_);
    bar->addWidget(asGrid_);
    bar->addSpacing(8);
    bar->addWidget(counts_);
    layout->addLayout(bar);
    // Removed rows may take the table's current row along, which is no choice of the user.
    // Connected before the table's own slots.
    connect(model_, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { choosing_ = true; });
    buildTable();
    connect(model_, &QAbstractItemModel::rowsRemoved, this, [this] { choosing_ = false; });
    pages_->addWidget(table_);
    pages_->addWidget(grid_);
    layout->addWidget(pages_, 1);

    connect(filter_, &QLineEdit::textChanged, this, &CandidateList::takeFilter);
    connect(asGrid_, &QToolButton::toggled, this, &CandidateList::setGridShown);
    connect(columns_->menu(), &QMenu::aboutToShow, this, &CandidateList::fillColumns);
    connect(grid_, &StampGrid::rowChosen, this,
            [this](qint64 row) { emit rowChosen(review_.layer(), row); });
    connect(&review_, &SourceReview::layerChanged, this, [this] {
        const QStringList hidden = QSettings().value(kHiddenKey).toStringList();
        for (int column = 0; column < model_->columnCount(); ++column)
            table_->setColumnHidden(
                column, hidden.contains(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole)
                                            .toString()
                                            .section(QLatin1Char('\n'), 0, 0)));
        putColumnsInOrder();
        fitColumns(*table_);
        table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    });
    connect(&review_, &SourceReview::rowsChanged, this, [this] {
        showCounts();
        showSelection();
    });
    connect(&review_.partners(), &CandidatePartners::changed, this,
            [this] { table_->resizeColumnToContents(CandidateRows::MatchColumn); });
    connect(&document_.view(), &DocumentView::selectionChanged, this,
            &CandidateList::showSelection);
    showCounts();
}

void CandidateList::buildTable() {
    table_->setModel(model_);
    showAsRows(*table_);
    table_->setAccessibleName(tr("Candidates"));
    table_->horizontalHeader()->setSectionsClickable(true);
    table_->horizontalHeader()->setSectionsMovable(true);
    table_->horizontalHeader()->setSortIndicatorShown(true);
    table_->horizontalHeader()->setSortIndicatorClearable(true);
    connect(table_->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
            [this](int column, Qt::SortOrder order) { model_->sort(column, order); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (choosing_ || !current.isValid() ||
                    current.row() >= static_cast<int>(review_.rows().size()))
                    return;
                const QScopedValueRollback guard(choosing_, true);
                const int64_t row = review_.rows()[static_cast<size_t>(current.row())];
                review_.setCurrent(row);
                emit rowChosen(review_.layer(), row);
            });
}

// Columns for the decision come first: verdict, name, significance, peak, flux, flags.
void CandidateList::putColumnsInOrder() {
    QHeaderView* header = table_->horizontalHeader();
    for (int column = 0; column < model_->columnCount(); ++column)
        header->moveSection(header->visualIndex(column), column);
    if (!review_.catalog()) return;
    int place = CandidateRows::DecisionColumns;
    for (const char* name : {"NAME", "SNR", "PEAK", "FLUX", "FLAGS"})
        if (const auto column = review_.catalog()->table.find(name))
            header->moveSection(header->visualIndex(CandidateRows::DecisionColumns + *column),
                                place++);
}

bool CandidateList::isGridShown() const {
    return pages_->currentWidget() == grid_;
}

void CandidateList::setGridShown(bool shown) {
    const QSignalBlocker quiet(asGrid_);
    asGrid_->setChecked(shown);
    pages_->setCurrentWidget(shown ? static_cast<QWidget*>(grid_) : table_);
}

void CandidateList::fillColumns() {
    QMenu* menu = columns_->menu();
    menu->clear();
    for (int column = 0; column < model_->columnCount(); ++column) {
        const QString name = model_->headerData(column, Qt::Horizontal, Qt::DisplayRole)
                                 .toString()
                                 .section(QLatin1Char('\n'), 0, 0);
        QAction* action = menu->addAction(name);
        action->setCheckable(true);
        action->setChecked(!table_->isColumnHidden(column));
        connect(action, &QAction::toggled, this, [this, column, name](bool on) {
            table_->setColumnHidden(column, !on);
            QSettings settings;
            QStringList hidden = settings.value(kHiddenKey).toStringList();
            hidden.removeAll(name);
            if (!on) hidden << name;
            settings.setValue(kHiddenKey, hidden);
        });
    }
}

// One button with a menu; four buttons would leave no space for the filter.
void CandidateList::buildVerdicts() {
    verdicts_ = menuButton({}, tr("Which candidates the list shows"), this);
    const auto add = [&](const QString& text, const QString& tip) {
        QAction* action = verdicts_->menu()->addAction(text);
        action->setToolTip(tip);
        action->setCheckable(true);
        action->setChecked(true);
        connect(action, &QAction::toggled, this, &CandidateList::takeFilter);
        return action;
    };
    undecided_ = add(tr("undecided"), tr("Show candidates without a verdict"));
    accepted_ = add(tr("accepted"), tr("Show accepted candidates"));
    rejected_ = add(tr("rejected"), tr("Show rejected candidates"));
    unsure_ = add(tr("unsure"), tr("Show candidates that are marked unsure"));
    verdicts_->menu()->setToolTipsVisible(true);
    nameVerdicts();
}

void CandidateList::nameVerdicts() {
    QStringList names;
    for (const QAction* action : {undecided_, accepted_, rejected_, unsure_})
        if (action->isChecked()) names << action->text();
    verdicts_->setText(names.size() == 4 ? tr("All verdicts")
                       : names.isEmpty() ? tr("None")
                                         : names.join(QStringLiteral(", ")));
}

void CandidateList::takeFilter() {
    nameVerdicts();
    CandidateFilter filter;
    filter.undecided = undecided_->isChecked();
    filter.accepted = accepted_->isChecked();
    filter.rejected = rejected_->isChecked();
    filter.unsure = unsure_->isChecked();
    filter.text = filter_->text();
    review_.list().setFilter(filter);
    showCounts();
}

void CandidateList::showCounts() {
    const bool isWrong = !review_.list().filterProblem().isEmpty();
    setRole(counts_, isWrong ? "error" : "muted");
    counts_->setText(
        isWrong ? review_.list().filterProblem()
                : tr("%1 of %2")
                      .arg(groupedDigits(std::ssize(review_.rows())))
                      .arg(groupedDigits(review_.catalog() ? review_.catalog()->rows() : 0)));
}

void CandidateList::showSelection() {
    if (choosing_) return;
    const QScopedValueRollback guard(choosing_, true);
    const int place = review_.list().placeOf(review_.current());
    if (place < 0) return table_->clearSelection();
    const QModelIndex index = model_->index(place, 0);
    if (table_->currentIndex().row() == place && table_->selectionModel()->isSelected(index))
        return;
    table_->selectRow(place);
    table_->scrollTo(index);
}

}  // namespace armilla
