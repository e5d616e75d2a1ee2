// SPDX-License-Identifier: GPL-3.0-or-later
// The listed rows of a reviewed catalog: those above the threshold, filtered and sorted.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "armilla/core/table.h"

namespace armilla {

class CandidatePartners;
class CandidateSignificance;
class RowVerdicts;

// Conditions on the listed rows.
struct CandidateFilter {
    bool undecided = true, accepted = true, rejected = true, unsure = true;
    // Words contained in the name or note, and conditions such as "SNR > 7" or "|GLAT| >= 20".
    QString text;
    bool operator==(const CandidateFilter&) const = default;
};
// Numbers of rows by verdict.
struct CandidateCounts {
    int64_t candidates = 0;  // at or above the threshold
    int64_t accepted = 0, rejected = 0, unsure = 0, undecided = 0;
    int64_t orphans = 0;  // decisions on this subject without a row at their position
};

// Rows above a significance threshold, and all decided rows. A decided row is hidden only by the
// filter. Used only in the window's thread.
class CandidateRows : public QObject {
    Q_OBJECT
public:
    // Columns that are added before those of the catalog.
    enum Decision { VerdictColumn, ClassColumn, NoteColumn, MatchColumn, DecisionColumns };

    // All three arguments must outlive this object.
    CandidateRows(const CandidateSignificance& significance, const RowVerdicts& verdicts,
                  const CandidatePartners& partners, QObject* parent = nullptr);
    ~CandidateRows() override;

    // Another catalog, in the order of its file; the other parts already describe it.
    void setCatalog(std::shared_ptr<const Catalog> catalog, double threshold);
    // Only refilters the rows: 1e5 rows take some milliseconds.
    void setThreshold(double threshold);
    // Returns false, with the reason in filterProblem(), for an invalid text; the valid conditions
    // apply.
    bool setFilter(const CandidateFilter& filter);
    const CandidateFilter& filter() const { return filter_; }
    const QString& filterProblem() const { return filterProblem_; }
    // `column`: a Decision, or DecisionColumns + a column of the catalog.
    void sortBy(int column, Qt::SortOrder order);
    // Lists again after verdicts or partners have changed.
    void refresh();

    // Rows of the catalog in sorted order.
    const std::vector<int64_t>& all() const { return rows_; }
    int placeOf(int64_t row) const;  // index in all(); -1 if absent
    const CandidateCounts& counts() const { return counts_; }
    // Name of the row from its catalog.
    QString nameOf(int64_t row) const;

signals:
    // The set of rows or their order has changed.
    void changed();

private:
    void readFilter();
    void makeOrder();
    void makeRows();
    bool passes(int64_t row) const;

    struct Condition;
    const CandidateSignificance& significance_;
    const RowVerdicts& verdicts_;
    const CandidatePartners& partners_;
    std::shared_ptr<const Catalog> catalog_;
    double threshold_ = 0.0;
    CandidateFilter filter_;
    QString filterProblem_;
    std::vector<Condition> conditions_;
    QStringList words_;
    int sortColumn_ = -1, nameColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    std::vector<int64_t> order_, rows_;
    std::vector<int32_t> places_;  // index in rows_ by catalog row, -1: absent
    CandidateCounts counts_;
};

}  // namespace armilla
