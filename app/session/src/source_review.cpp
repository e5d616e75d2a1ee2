// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/source_review.h"

#include <algorithm>
#include <utility>

#include "armilla/session/document.h"
#include "candidate_markers.h"
#include "operation_values.h"
#include "picked_rows.h"

namespace armilla {

namespace {

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

SourceReview::SourceReview(Document& document, VerdictBook& book, JobRunner& jobs, QObject* parent)
    : QObject(parent),
      document_(document),
      book_(book),
      thresholds_(*document.history().stack()),
      falseCandidates_(jobs),
      verdicts_(book, jobs),
      partners_(document, jobs),
      list_(significance_, verdicts_, partners_),
      markers_(std::make_unique<CandidateMarkers>(document, verdicts_, jobs)) {
    connect(&document_, &Document::entriesChanged, this, &SourceReview::takeLayer);
    connect(&document_.drawings(), &LayerDrawings::styleChanged, this, [this](LayerId id) {
        if (id == layer_) markers_->draw(layer_, catalog_, list_.all());
    });
    // These connections come first, so that other receivers find the listed rows up to date.
    connect(&thresholds_, &CandidateThresholds::changed, this,
            [this] { list_.setThreshold(thresholds_.value()); });
    connect(&partners_, &CandidatePartners::changed, this, [this] {
        if (catalog_) list_.refresh();
    });
    connect(&verdicts_, &RowVerdicts::changed, this, [this] {
        list_.refresh();
        emit judgementsChanged();
    });
    connect(&verdicts_, &RowVerdicts::refused, this, &SourceReview::refused);
    connect(&list_, &CandidateRows::changed, this, [this] {
        markers_->draw(layer_, catalog_, list_.all());
        emit rowsChanged();
    });
}

SourceReview::~SourceReview() = default;

void SourceReview::setLayer(LayerId id) {
    resumed_ = {};
    const Layer* layer = document_.entry(id);
    if (!layer || !layer->catalog) id = {};
    if (id == layer_) return;
    layer_ = id;
    takeLayer();
}

void SourceReview::resume(LayerId id) {
    setLayer(id);
    if (layer_ != id) resumed_ = id;
}

// The layer may have changed, been closed, or been restored by undo.
void SourceReview::takeLayer() {
    if (const Layer* awaited = document_.entry(resumed_); awaited && awaited->catalog)
        return setLayer(resumed_);
    const Layer* layer = document_.entry(layer_);
    if (!layer) layer_ = {};
    const auto catalog = layer ? layer->catalog : nullptr;
    const SearchedLayers before = std::exchange(search_, searchedLayers(document_, layer_));
    const Layer* filtered = document_.entry(search_.significance);
    falseCandidates_.count(filtered ? filtered->map : nullptr, catalog, search_.beam);
    partners_.setCatalog(layer_, catalog_);
    const bool isOther = layer_ != std::exchange(taken_, layer_);
    if (catalog != catalog_) {
        catalog_ = catalog;
        takeCatalog();
    } else if (isOther || before.subject != search_.subject || before.beam != search_.beam) {
        thresholds_.setReviewed(layer_, significance_.least());
        list_.setThreshold(thresholds_.value());
        verdicts_.setSubject(search_.subject, search_.beam);
    } else {
        return;
    }
    emit layerChanged();
    partners_.setCatalog(layer_, catalog_);
}

void SourceReview::takeCatalog() {
    significance_ = CandidateSignificance(catalog_);
    thresholds_.setReviewed(layer_, significance_.least());
    verdicts_.setCatalog(catalog_, search_.subject, search_.beam);
    list_.setCatalog(catalog_, thresholds_.value());
}

int64_t SourceReview::current() const {
    const RowSelection selection = document_.view().selection();
    return layer_.isValid() && selection.layer == layer_ ? selection.row : -1;
}

void SourceReview::setCurrent(int64_t row) {
    if (!layer_.isValid()) return;
    document_.view().setSelection(row < 0 ? RowSelection{} : RowSelection{layer_, row});
}

void SourceReview::step(int by) {
    if (rows().empty()) return;
    const int place = list_.placeOf(current());
    const int last = static_cast<int>(rows().size()) - 1;
    const int to = place < 0 ? (by > 0 ? 0 : last) : std::clamp(place + by, 0, last);
    setCurrent(rows()[static_cast<size_t>(to)]);
}

int64_t SourceReview::decidable() {
    const int64_t row = current();
    if (row >= 0 && !verdicts_.isReady()) return -1;
    if (row < 0 || verdicts_.hasPlace(row)) return row;
    emit refused(tr("%1: expected a position to decide upon, found none").arg(list_.nameOf(row)));
    return -1;
}

Judgement SourceReview::draft(int64_t row) const {
    if (const Judgement* judged = judgement(row)) return *judged;
    Judgement fresh;
    fresh.subject = search_.subject;
    fresh.place = direction(catalog_->at(row));
    fresh.frame = catalog_->frame();
    fresh.name = list_.nameOf(row);
    return fresh;
}

void SourceReview::judge(Verdict verdict, bool next) {
    const int64_t row = decidable();
    if (row < 0) return;
    const int place = list_.placeOf(row);
    Judgement judged = draft(row);
    judged.verdict = judged.verdict == verdict ? Verdict::None : verdict;
    const bool isTaken = judged.verdict != Verdict::None;
    book_.write(tr("%1 %2").arg(verb(judged.verdict), list_.nameOf(row)), {judged});
    if (!next || !isTaken || rows().empty() || place < 0) return;
    // If the filter hides the row now, the next row has moved into its place.
    const int to = list_.placeOf(row) < 0 ? place : place + 1;
    setCurrent(rows()[static_cast<size_t>(std::min(to, static_cast<int>(rows().size()) - 1))]);
}

void SourceReview::classify(int group) {
    if (group < 0 || group > kMostGroup) return;
    const int64_t row = decidable();
    if (row < 0) return;
    Judgement judged = draft(row);
    judged.group = judged.group == group ? 0 : group;
    book_.write(judged.group > 0 ? tr("Class %1 for %2").arg(group).arg(list_.nameOf(row))
                                 : tr("No class for %1").arg(list_.nameOf(row)),
                {judged});
}

void SourceReview::annotate(const QString& note) {
    const int64_t row = decidable();
    if (row < 0) return;
    Judgement judged = draft(row);
    judged.note = note.trimmed();
    book_.write(tr("Note on %1").arg(list_.nameOf(row)), {judged});
}

void SourceReview::judgeAll(Verdict verdict) {
    if (rows().empty() || !verdicts_.isReady()) return;
    std::vector<Judgement> all;
    all.reserve(rows().size());
    for (const int64_t row : rows()) {
        if (!verdicts_.hasPlace(row)) continue;
        all.push_back(draft(row));
        all.back().verdict = verdict;
    }
    if (const size_t without = rows().size() - all.size(); without > 0)
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
    partners_.addColumns(table, rows);
    const Layer* layer = document_.entry(layer_);
    if (const Layer* map = document_.entry(search_.map))
        table.history.push_back("searched: " + map->name.toStdString());
    if (layer) table.history.push_back("found by: " + layer->recipe.title().toStdString());
    if (const auto& request = search_.request) {
        std::string words = "parameters:";
        for (const std::string& each : optionWords(*request->operation, request->parameters))
            words += " " + each;
        table.history.push_back(words);
    }
    if (!significance_.values().empty())
        table.history.push_back("threshold of the review: " +
                                QString::number(thresholds_.value()).toStdString() + " sigma");
    // Orphans have no row here.
    if (verdict == Verdict::None)
        for (const Judgement& each : verdicts_.orphans())
            table.history.push_back("decided, without a candidate now: " + each.name.toStdString() +
                                    " " + word(each.verdict));
    const CandidateCounts& counts = list_.counts();
    table.history.push_back("verdicts by eye: " + std::to_string(counts.accepted) + " accepted, " +
                            std::to_string(counts.rejected) + " rejected, " +
                            std::to_string(counts.unsure) + " unsure; armilla " ARMILLA_VERSION);
    return result;
}

}  // namespace armilla

#include "armilla/session/moc_source_review.cpp"
