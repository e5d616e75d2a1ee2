// SPDX-License-Identifier: GPL-3.0-or-later
// Visual review of source candidates: the selected rows of a catalog, and their verdicts. No
// widgets.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "armilla/core/table.h"
#include "armilla/session/candidate_partners.h"
#include "armilla/session/candidate_rows.h"
#include "armilla/session/candidate_significance.h"
#include "armilla/session/candidate_thresholds.h"
#include "armilla/session/false_candidates.h"
#include "armilla/session/row_verdicts.h"
#include "armilla/session/searched_layers.h"
#include "armilla/session/verdicts.h"

namespace armilla {

class CandidateMarkers;
class Document;
class JobRunner;

// Rows of one catalog layer that the user decides on one by one. The selection is that of the
// document.
class SourceReview : public QObject {
    Q_OBJECT
public:
    // All three arguments must outlive the review.
    SourceReview(Document& document, VerdictBook& book, JobRunner& jobs, QObject* parent = nullptr);
    ~SourceReview() override;

    // The reviewed catalog; invalid: none.
    void setLayer(LayerId id);
    LayerId layer() const { return layer_; }
    // Calls setLayer() once the layer is restored, unless another layer is chosen earlier.
    void resume(LayerId id);
    LayerId awaited() const { return resumed_; }  // awaited since resume(), or invalid
    const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }

    // The parts of the review, all about the reviewed catalog.
    const SearchedLayers& search() const { return search_; }
    const CandidateSignificance& significance() const { return significance_; }
    const FalseCandidates& falseCandidates() const { return falseCandidates_; }
    CandidateThresholds& thresholds() { return thresholds_; }
    const CandidateThresholds& thresholds() const { return thresholds_; }
    CandidatePartners& partners() { return partners_; }
    const CandidatePartners& partners() const { return partners_; }
    CandidateRows& list() { return list_; }
    const CandidateRows& list() const { return list_; }
    const RowVerdicts& verdicts() const { return verdicts_; }

    // The listed rows of the catalog, in sorted order.
    const std::vector<int64_t>& rows() const { return list_.all(); }
    // The decision on a row; null if there is none.
    const Judgement* judgement(int64_t row) const { return verdicts_.judgement(row); }

    int64_t current() const;  // the selected row, -1: none
    void setCurrent(int64_t row);
    // Moves the selection through rows() without wrapping; without a selection, to the first row.
    void step(int by);
    // Decides on the current row; the same verdict again withdraws it. With `next` the next row is
    // selected. A row without a position cannot be decided. No row can before earlier decisions are
    // assigned to rows; refused() reports this.
    void judge(Verdict verdict, bool next = true);
    void classify(int group);
    // Sets the note on the current row.
    void annotate(const QString& note);
    // Decides on all rows() with a position, in one step.
    void judgeAll(Verdict verdict);

    // The rows of a verdict (None: all decided rows) as a catalog with columns VERDICT, CLASS, NOTE
    // and VERDICT_TIME. Its history states the origin.
    Catalog judged(Verdict verdict) const;

signals:
    // Another catalog is reviewed, or its value has changed.
    void layerChanged();
    void rowsChanged();        // the set of rows or their order has changed
    void judgementsChanged();  // rows may have changed too
    // A decision was refused, with the reason.
    void refused(const QString& line);

private:
    void takeLayer();
    void takeCatalog();
    int64_t decidable();                 // the current row, -1 if it cannot be decided
    Judgement draft(int64_t row) const;  // the judgement of the row, or a new one at its position

    Document& document_;
    VerdictBook& book_;
    LayerId layer_;
    LayerId taken_;    // the layer that the other members describe
    LayerId resumed_;  // the layer that resume() waits for
    std::shared_ptr<const Catalog> catalog_;
    SearchedLayers search_;
    CandidateSignificance significance_;
    CandidateThresholds thresholds_;
    FalseCandidates falseCandidates_;
    RowVerdicts verdicts_;
    CandidatePartners partners_;
    CandidateRows list_;
    std::unique_ptr<CandidateMarkers> markers_;
};

}  // namespace armilla
