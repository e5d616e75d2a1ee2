// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/source_review.h"

#include <QRegularExpression>
#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/session/job_runner.h"
#include "move_threshold.h"
#include "operation_values.h"
#include "picked_rows.h"

namespace armilla {

namespace {

const QString kMarkerSlot = QStringLiteral("review-markers");

struct NamedPair {
    const char *value, *error;
};
// If no column is named SNR: ratios of a value and its error.
constexpr NamedPair kRatios[] = {{"DETFLUX", "DETFLUX_ERR"},
                                 {"FLUX", "FLUX_ERR"},
                                 {"PEAK", "PEAK_ERR"},
                                 {"PEAK_FLUX", "PEAK_FLUX_ERR"}};

QString textOf(const std::string& text) {
    return QString::fromStdString(text);
}

QString verb(Verdict verdict) {
    switch (verdict) {
        case Verdict::Accepted: return SourceReview::tr("Accept");
        case Verdict::Rejected: return SourceReview::tr("Reject");
        case Verdict::Unsure: return SourceReview::tr("Unsure about");
        case Verdict::None: return SourceReview::tr("Take back the verdict on");
    }
    return {};
}

const char* word(Verdict verdict) {
    switch (verdict) {
        case Verdict::Accepted: return "ACCEPTED";
        case Verdict::Rejected: return "REJECTED";
        case Verdict::Unsure: return "UNSURE";
        case Verdict::None: return "";
    }
    return "";
}

TableColumn textColumn(const char* name, const char* ucd, const char* description) {
    TableColumn column;
    column.name = name;
    column.ucd = ucd;
    column.description = description;
    column.values = std::vector<std::string>();
    return column;
}

}  // namespace

// COLUMN < VALUE, or |COLUMN| < VALUE.
struct SourceReview::Condition {
    const TableColumn* column = nullptr;
    bool absolute = false;
    QString relation;
    double value = 0.0;
    bool holds(int64_t row) const {
        double x = column->number(row);
        if (absolute) x = std::abs(x);
        if (relation == QLatin1String("<")) return x < value;
        if (relation == QLatin1String("<=")) return x <= value;
        if (relation == QLatin1String(">")) return x > value;
        if (relation == QLatin1String(">=")) return x >= value;
        return relation == QLatin1String("=") ? x == value : x != value;
    }
};

SourceReview::SourceReview(Document& document, VerdictBook& book, JobRunner& jobs, QObject* parent)
    : QObject(parent), document_(document), book_(book), jobs_(jobs) {
    connect(&document_, &Document::entriesChanged, this, &SourceReview::takeLayer);
    // A cancelled search runs again when a layer changes.
    connect(&jobs_, &JobRunner::jobCancelled, this, [this](int job) {
        if (job == falseJob_) falseMap_.reset();
        if (job == placesJob_) placesJob_ = -1;
    });
    connect(&document_.drawings(), &LayerDrawings::styleChanged, this, [this](int id) {
        if (id == layer_) makeMarkers();
    });
    connect(&book_, &VerdictBook::changed, this, [this](const std::vector<int64_t>& ids) {
        if (ids.empty())
            matchJudgements();
        else
            touchJudgements(ids);
        if (sortColumn_ >= 0 && sortColumn_ < DecisionColumns) makeOrder();
        makeRows();
        emit judgementsChanged();
    });
}

SourceReview::~SourceReview() = default;

void SourceReview::setLayer(int id) {
    resumed_ = -1;
    const Layer* layer = document_.entry(id);
    if (!layer || !layer->catalog) id = -1;
    if (id == layer_) return;
    const int before = layer_;
    layer_ = id;
    if (before >= 0) document_.drawings().setMarkerGroups(before, {});
    takeLayer();
}

void SourceReview::resume(int id) {
    setLayer(id);
    if (layer_ != id) resumed_ = id;
}

// The layer may have changed, been closed, or been restored by undo.
void SourceReview::takeLayer() {
    if (const Layer* awaited = document_.entry(resumed_); awaited && awaited->catalog)
        return setLayer(resumed_);
    const Layer* layer = document_.entry(layer_);
    if (!layer) layer_ = -1;
    const auto catalog = layer ? layer->catalog : nullptr;
    const auto matched = std::pair(subject_, beam_);
    findCompanions();
    checkMatch();
    const bool isOther = layer_ != std::exchange(taken_, layer_);
    if (catalog != catalog_) {
        catalog_ = catalog;
        takeCatalog();
    } else if (matched != std::pair(subject_, beam_)) {
        rematch();
    } else if (isOther) {
        makeMarkers();
    } else {
        return;
    }
    emit layerChanged();
    emit thresholdChanged();
    checkMatch();
}

void SourceReview::takeCatalog() {
    findPlaces();
    nameColumn_ = -1;
    for (const char* name : {"NAME", "ID", "SOURCE", "DESIGNATION"})
        if (catalog_ && nameColumn_ < 0) nameColumn_ = catalog_->table.find(name).value_or(-1);
    // FLAGS of other programs have another meaning.
    flagsColumn_ = catalog_ && catalog_->table.find("FWHM_MAJ_ERR")
                       ? catalog_->table.find("FLAGS").value_or(-1)
                       : -1;
    findSignificances();
    sortColumn_ = -1;
    readFilter();
    matchJudgements();
    makeOrder();
    makeRows();
}

void SourceReview::findSignificances() {
    significances_.clear();
    negative_.clear();
    threshold_ = floor_ = 0.0F;
    if (!catalog_) return;
    const Table& table = catalog_->table;
    const TableColumn* column = nullptr;
    const TableColumn* error = nullptr;
    for (const char* name : {"SNR", "S/N", "SIGNIF", "SIGNIFICANCE"})
        if (const auto found = table.find(name); found && !column)
            column = &table.columns[static_cast<size_t>(*found)];
    for (const TableColumn& each : table.columns)
        if (!column && each.ucd.starts_with("stat.snr")) column = &each;
    for (const NamedPair& pair : kRatios) {
        const auto value = table.find(pair.value), its = table.find(pair.error);
        if (column || !value || !its) continue;
        column = &table.columns[static_cast<size_t>(*value)];
        error = &table.columns[static_cast<size_t>(*its)];
    }
    if (!column || column->isText()) return;
    const auto rows = static_cast<size_t>(catalog_->rows());
    significances_.resize(rows);
    negative_.resize(rows);
    float least = std::numeric_limits<float>::infinity();
    for (size_t row = 0; row < rows; ++row) {
        double snr = column->number(static_cast<int64_t>(row));
        if (error) snr /= error->number(static_cast<int64_t>(row));
        negative_[row] = snr < 0.0;
        significances_[row] = static_cast<float>(std::abs(snr));
        if (std::isfinite(significances_[row])) least = std::min(least, significances_[row]);
    }
    if (std::isfinite(least)) threshold_ = floor_ = least;
    if (const auto kept = thresholds_.find(layer_); kept != thresholds_.end())
        threshold_ = kept->second;
}

void SourceReview::setThreshold(double threshold) {
    setThresholdOf(layer_, threshold);
}

void SourceReview::setThresholdOf(int layer, double threshold) {
    if (layer < 0 || !std::isfinite(threshold)) return;
    const bool isSeen = layer == layer_;
    if (isSeen && threshold == threshold_) return;
    thresholds_[layer] = threshold;
    if (isSeen) {
        threshold_ = threshold;
        makeRows();
    }
    emit thresholdChanged();
}

void SourceReview::restoreThresholds(std::map<int, double> thresholds) {
    thresholds_ = std::move(thresholds);
    const auto own = thresholds_.find(layer_);
    threshold_ = own == thresholds_.end() ? floor_ : own->second;
    makeRows();
    emit thresholdChanged();
}

void SourceReview::moveThreshold(double threshold) {
    if (threshold == threshold_ || !std::isfinite(threshold)) return;
    document_.history().stack()->push(new MoveThreshold(*this, gesture_, threshold));
}

bool SourceReview::setFilter(const Filter& filter) {
    if (filter == filter_) return filterProblem_.isEmpty();
    filter_ = filter;
    readFilter();
    makeRows();
    return filterProblem_.isEmpty();
}

void SourceReview::readFilter() {
    conditions_.clear();
    words_.clear();
    filterProblem_.clear();
    static const QRegularExpression condition(QStringLiteral(
        "(\\|?)([A-Za-z_][A-Za-z0-9_.]*)(\\|?)\\s*(<=|>=|!=|<|>|=)\\s*([-+]?[0-9.]+(?:[eE][-+]?"
        "[0-9]+)?)"));
    QString rest = filter_.text;
    auto all = condition.globalMatch(filter_.text);
    while (all.hasNext()) {
        const QRegularExpressionMatch match = all.next();
        rest.replace(match.captured(0), QStringLiteral(" "));
        const int column =
            catalog_ ? catalog_->table.find(match.captured(2).toStdString()).value_or(-1) : -1;
        bool isNumber = false;
        const double value = match.captured(5).toDouble(&isNumber);
        if (column < 0 || catalog_->table.columns[static_cast<size_t>(column)].isText())
            filterProblem_ = tr("expected a column of numbers, found %1").arg(match.captured(2));
        else if (!isNumber || match.captured(1) != match.captured(3))
            filterProblem_ =
                tr("expected a condition such as |GLAT| > 20, found %1").arg(match.captured(0));
        else
            conditions_.push_back({&catalog_->table.columns[static_cast<size_t>(column)],
                                   !match.captured(1).isEmpty(), match.captured(4), value});
    }
    static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
    for (const QString& each : rest.split(between, Qt::SkipEmptyParts)) {
        if (each.contains(QLatin1Char('<')) || each.contains(QLatin1Char('>')))
            filterProblem_ = tr("expected a condition such as SNR > 7, found %1").arg(each);
        else if (each.compare(QLatin1String("and"), Qt::CaseInsensitive) != 0)
            words_ << each;
    }
}

bool SourceReview::passes(int64_t row) const {
    for (const Condition& condition : conditions_)
        if (!condition.holds(row)) return false;
    if (words_.isEmpty()) return true;
    const QString name = nameOf(row);
    const Judgement* judged = judgement(row);
    return std::all_of(words_.begin(), words_.end(), [&](const QString& each) {
        return name.contains(each, Qt::CaseInsensitive) ||
               (judged && judged->note.contains(each, Qt::CaseInsensitive));
    });
}

void SourceReview::sortBy(int column, Qt::SortOrder order) {
    if (column == sortColumn_ && order == sortOrder_) return;
    sortColumn_ = column;
    sortOrder_ = order;
    makeOrder();
    makeRows();
}

// Sorts all rows. Missing values come last in both orders; equal values keep the order of the file.
void SourceReview::makeOrder() {
    order_.resize(catalog_ ? static_cast<size_t>(catalog_->rows()) : 0);
    std::iota(order_.begin(), order_.end(), int64_t{0});
    if (!catalog_ || sortColumn_ < 0) return;
    const bool isDescending = sortOrder_ == Qt::DescendingOrder;
    const auto sortWith = [&](const auto& keys, const auto& isMissing) {
        std::stable_sort(order_.begin(), order_.end(), [&](int64_t a, int64_t b) {
            const auto& x = keys[static_cast<size_t>(a)];
            const auto& y = keys[static_cast<size_t>(b)];
            if (isMissing(x) || isMissing(y)) return !isMissing(x) && isMissing(y);
            return isDescending ? y < x : x < y;
        });
    };
    const TableColumn* column =
        sortColumn_ >= DecisionColumns
            ? &catalog_->table.columns.at(static_cast<size_t>(sortColumn_ - DecisionColumns))
            : nullptr;
    if ((column && column->isText()) || sortColumn_ == NoteColumn) {
        std::vector<std::string> keys(order_.size());
        for (size_t row = 0; row < keys.size(); ++row) {
            const Judgement* judged = judgement(static_cast<int64_t>(row));
            keys[row] = column   ? column->text(static_cast<int64_t>(row))
                        : judged ? judged->note.toStdString()
                                 : std::string();
        }
        return sortWith(keys, [](const std::string& text) { return text.empty(); });
    }
    std::vector<double> keys(order_.size(), std::numeric_limits<double>::quiet_NaN());
    for (size_t row = 0; row < keys.size(); ++row) {
        const Judgement* judged = judgement(static_cast<int64_t>(row));
        if (column)
            keys[row] = column->number(static_cast<int64_t>(row));
        else if (judged && sortColumn_ == VerdictColumn && judged->verdict != Verdict::None)
            keys[row] = static_cast<double>(judged->verdict);
        else if (judged && sortColumn_ == ClassColumn && judged->group > 0)
            keys[row] = judged->group;
        else if (const Partner* with = partner(static_cast<int64_t>(row));
                 with && sortColumn_ == MatchColumn)
            keys[row] = with->separation;
    }
    sortWith(keys, [](double value) { return std::isnan(value); });
}

void SourceReview::makeRows() {
    counts_ = {};
    counts_.orphans = static_cast<int64_t>(orphans_.size());
    rows_.clear();
    places_.assign(order_.size(), -1);
    for (const int64_t row : order_) {
        const Judgement* judged = judgement(row);
        const bool isAbove = significances_.empty() || !(significances_[static_cast<size_t>(row)] <
                                                         static_cast<float>(threshold_));
        if (isAbove) ++counts_.candidates;
        const Verdict verdict = judged ? judged->verdict : Verdict::None;
        bool isAsked = filter_.undecided;
        switch (verdict) {
            case Verdict::None:
                if (isAbove) ++counts_.undecided;
                break;
            case Verdict::Accepted:
                ++counts_.accepted;
                isAsked = filter_.accepted;
                break;
            case Verdict::Rejected:
                ++counts_.rejected;
                isAsked = filter_.rejected;
                break;
            case Verdict::Unsure:
                ++counts_.unsure;
                isAsked = filter_.unsure;
                break;
        }
        if (!isAsked || !(isAbove || judged) || !passes(row)) continue;
        places_[static_cast<size_t>(row)] = static_cast<int32_t>(rows_.size());
        rows_.push_back(row);
    }
    makeMarkers();
    emit rowsChanged();
}

int SourceReview::placeOf(int64_t row) const {
    return row >= 0 && row < static_cast<int64_t>(places_.size())
               ? places_[static_cast<size_t>(row)]
               : -1;
}

const Judgement* SourceReview::judgement(int64_t row) const {
    if (row < 0 || row >= static_cast<int64_t>(judgementOf_.size())) return nullptr;
    const int64_t id = judgementOf_[static_cast<size_t>(row)];
    if (id == 0) return nullptr;
    const auto found = book_.all().find(id);
    return found == book_.all().end() ? nullptr : &found->second;
}

// Undecided rows have the style of the layer, decided ones that of their verdict.
void SourceReview::makeMarkers() {
    const Layer* layer = document_.entry(layer_);
    if (!layer || !layer->catalog) return;
    struct Group {
        MarkerStyle style;
        std::vector<int64_t> rows;
    };
    std::vector<Group> groups(4);
    for (Group& group : groups) group.style = layer->style.marker;
    groups[1].style.color = {0x4c, 0xd9, 0x7b, 0xff};
    groups[2].style.color = {0xff, 0x6b, 0x6b, 0xff};
    groups[2].style.shape = MarkerShape::Cross;
    groups[3].style.color = {0x7a, 0xb8, 0xff, 0xff};
    groups[3].style.shape = MarkerShape::Diamond;
    for (const int64_t row : rows_) {
        const Judgement* judged = judgement(row);
        groups[judged ? static_cast<size_t>(judged->verdict) : 0].rows.push_back(row);
    }
    const auto make = [groups, catalog = catalog_](JobContext& job) {
        std::vector<MarkerGroup> made;
        for (const Group& group : groups)
            if (!group.rows.empty())
                made.push_back({MarkerSet::build(*catalog, group.rows, job), group.style});
        return made;
    };
    if (static_cast<int64_t>(rows_.size()) <= kAtOnce) {
        jobs_.cancelSlot(kMarkerSlot);
        JobContext job;
        document_.drawings().setMarkerGroups(layer_, make(job));
        return;
    }
    jobs_.run<std::vector<MarkerGroup>>(tr("Markers"), JobLane::Preview, kMarkerSlot, this, make,
                                        [this, id = layer_](std::vector<MarkerGroup> made) {
                                            if (id == layer_)
                                                document_.drawings().setMarkerGroups(
                                                    id, std::move(made));
                                        });
}

int64_t SourceReview::current() const {
    const RowSelection selection = document_.selection();
    return layer_ >= 0 && selection.layer == layer_ ? selection.row : -1;
}

void SourceReview::setCurrent(int64_t row) {
    if (layer_ < 0) return;
    document_.setSelection(row < 0 ? RowSelection{} : RowSelection{layer_, row});
}

void SourceReview::step(int by) {
    if (rows_.empty()) return;
    const int place = placeOf(current());
    const int last = static_cast<int>(rows_.size()) - 1;
    const int to = place < 0 ? (by > 0 ? 0 : last) : std::clamp(place + by, 0, last);
    setCurrent(rows_[static_cast<size_t>(to)]);
}

QString SourceReview::nameOf(int64_t row) const {
    return nameColumn_ >= 0
               ? textOf(catalog_->table.columns[static_cast<size_t>(nameColumn_)].text(row))
               : tr("row %1").arg(row + 1);
}

int64_t SourceReview::decidable() {
    const int64_t row = current();
    if (row >= 0 && !hasPlaces()) return -1;
    if (row < 0 || hasPlace(row)) return row;
    emit refused(tr("%1: expected a position to decide upon, found none").arg(nameOf(row)));
    return -1;
}

Judgement SourceReview::draft(int64_t row) const {
    if (const Judgement* judged = judgement(row)) return *judged;
    Judgement fresh;
    fresh.subject = subject_;
    fresh.place = direction(catalog_->at(row));
    fresh.frame = catalog_->frame();
    fresh.name = nameOf(row);
    return fresh;
}

void SourceReview::judge(Verdict verdict, bool next) {
    const int64_t row = decidable();
    if (row < 0) return;
    const int place = placeOf(row);
    Judgement judged = draft(row);
    judged.verdict = judged.verdict == verdict ? Verdict::None : verdict;
    const bool isTaken = judged.verdict != Verdict::None;
    book_.write(tr("%1 %2").arg(verb(judged.verdict), nameOf(row)), {judged});
    if (!next || !isTaken || rows_.empty() || place < 0) return;
    // If the filter hides the row now, the next row has moved into its place.
    const int to = placeOf(row) < 0 ? place : place + 1;
    setCurrent(rows_[static_cast<size_t>(std::min(to, static_cast<int>(rows_.size()) - 1))]);
}

void SourceReview::classify(int group) {
    if (group < 0 || group > kMostGroup) return;
    const int64_t row = decidable();
    if (row < 0) return;
    Judgement judged = draft(row);
    judged.group = judged.group == group ? 0 : group;
    book_.write(judged.group > 0 ? tr("Class %1 for %2").arg(group).arg(nameOf(row))
                                 : tr("No class for %1").arg(nameOf(row)),
                {judged});
}

void SourceReview::annotate(const QString& note) {
    const int64_t row = decidable();
    if (row < 0) return;
    Judgement judged = draft(row);
    judged.note = note.trimmed();
    book_.write(tr("Note on %1").arg(nameOf(row)), {judged});
}

void SourceReview::judgeAll(Verdict verdict) {
    if (rows_.empty() || !hasPlaces()) return;
    std::vector<Judgement> all;
    all.reserve(rows_.size());
    for (const int64_t row : rows_) {
        if (!hasPlace(row)) continue;
        all.push_back(draft(row));
        all.back().verdict = verdict;
    }
    if (const size_t without = rows_.size() - all.size(); without > 0)
        emit refused(tr("%n candidate(s) without a position took no verdict", nullptr,
                        static_cast<int>(without)));
    book_.write(tr("%1 %n candidate(s)", nullptr, static_cast<int>(all.size())).arg(verb(verdict)),
                std::move(all));
}

Catalog SourceReview::judged(Verdict verdict) const {
    Catalog result;
    if (!catalog_) return result;
    std::vector<int64_t> rows;
    for (int64_t row = 0; row < catalog_->rows(); ++row) {
        const Judgement* judgedRow = judgement(row);
        if (verdict == Verdict::None || (judgedRow && judgedRow->verdict == verdict))
            rows.push_back(row);
    }
    result = pickedRows(*catalog_, rows);
    Table& table = result.table;
    TableColumn verdicts = textColumn("VERDICT", "meta.code.qual", "by eye");
    TableColumn notes = textColumn("NOTE", "meta.note", "by eye");
    TableColumn times = textColumn("VERDICT_TIME", "time", "of the verdict, UTC");
    TableColumn groups;
    groups.name = "CLASS";
    groups.ucd = "meta.code.class";
    groups.description = "by eye, 1 to 9; 0: none";
    std::vector<int64_t> classes;
    for (const int64_t row : rows) {
        const Judgement* decided = judgement(row);
        const Judgement each = decided ? *decided : Judgement();
        std::get<3>(verdicts.values).emplace_back(word(each.verdict));
        std::get<3>(notes.values).push_back(each.note.toStdString());
        std::get<3>(times.values).push_back(each.time.toStdString());
        classes.push_back(each.group);
    }
    groups.values = std::move(classes);
    for (TableColumn* column : {&verdicts, &groups, &notes, &times})
        table.columns.push_back(std::move(*column));
    addPartners(table, rows);
    const Layer* layer = document_.entry(layer_);
    if (const Layer* map = document_.entry(searched_))
        table.history.push_back("searched: " + map->name.toStdString());
    if (layer) table.history.push_back("found by: " + layer->recipe.title().toStdString());
    if (const auto request = search()) {
        std::string words = "parameters:";
        for (const std::string& each : optionWords(*request->operation, request->parameters))
            words += " " + each;
        table.history.push_back(words);
    }
    if (!significances_.empty())
        table.history.push_back(
            "threshold of the review: " + QString::number(threshold_).toStdString() + " sigma");
    // Orphans have no row here.
    if (verdict == Verdict::None)
        for (const Judgement& each : orphans())
            table.history.push_back("decided, without a candidate now: " + each.name.toStdString() +
                                    " " + word(each.verdict));
    table.history.push_back("verdicts by eye: " + std::to_string(counts_.accepted) + " accepted, " +
                            std::to_string(counts_.rejected) + " rejected, " +
                            std::to_string(counts_.unsure) + " unsure; armilla " ARMILLA_VERSION);
    return result;
}

}  // namespace armilla

#include "armilla/session/moc_source_review.cpp"
