// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates gone through by eye: which rows of a catalog are looked at, in which order, and what
// has been decided about each. No widgets.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/table.h"
#include "session/document.h"
#include "session/operation_run.h"
#include "session/verdicts.h"

namespace armilla {

class JobRunner;

// Rows of one catalog layer, those above a threshold of significance and all that are decided:
// nothing decided is hidden unless the filter asks for it. One selection, the document's.
class SourceReview : public QObject {
    Q_OBJECT
public:
    struct Filter {
        bool undecided = true, accepted = true, rejected = true, unsure = true;
        // Words that name or note contain, and conditions such as "SNR > 7" or "|GLAT| >= 20".
        QString text;
        bool operator==(const Filter&) const = default;
    };
    struct Counts {
        int64_t candidates = 0;  // at or above the threshold
        int64_t accepted = 0, rejected = 0, unsure = 0, undecided = 0;
        int64_t orphans = 0;  // decisions of this subject whose place has no row any more
    };
    // Columns that the catalog does not have: they come before its own.
    enum Decision { VerdictColumn, ClassColumn, NoteColumn, MatchColumn, DecisionColumns };
    // With which other catalog the rows are matched, and how.
    struct Match {
        int layer = -1;                // -1: none
        std::optional<double> radius;  // radians; none: by the errors of both (POS_ERR)
        bool all = false;              // every pair within reach; else the best, no row twice
        bool operator==(const Match&) const = default;
    };
    struct Partner {
        int64_t row = -1;         // of the other catalog
        double separation = 0.0;  // radians
        double chance = 0.0;      // that an unrelated row lies so near
        int others = 0;           // further ones within reach, if all are asked for
    };

    // All three must outlive the review.
    SourceReview(Document& document, VerdictBook& book, JobRunner& jobs, QObject* parent = nullptr);
    ~SourceReview() override;

    // The catalog that is gone through; -1: none.
    void setLayer(int id);
    int layer() const { return layer_; }
    // The same as soon as the layer has come back, unless another one is chosen before.
    void resume(int id);
    int awaited() const { return resumed_; }  // that layer until then; -1: none
    const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }
    // Layers that came of the same search: the filtered map over its noise, the map without the
    // sources; and the map that was searched. -1: not open.
    int searchedMap() const { return searched_; }
    int significanceMap() const { return snrLayer_; }
    int residualMap() const { return residualLayer_; }
    int searchedField() const { return searchedField_; }
    // FWHM of the search, radians; none for a catalog that was opened, or without its B_l.
    std::optional<double> beam() const { return beam_; }
    // How the catalog was made; none for one that was opened, or was made by another version of the
    // program.
    std::optional<OperationRequest> search() const;

    // |SNR| of each row, NaN where it is unknown; empty if the catalog has none.
    const std::vector<float>& significances() const { return significances_; }
    // Whether its SNR is negative: a source that lowers the map.
    bool isNegative(int64_t row) const;
    bool hasNegative() const;  // any row
    // SNR with its sign, as "−12.3"; empty without one.
    QString significanceText(int64_t row) const;
    // The bits of FLAGS in words, of a catalog that the command sources has made; empty for others.
    QString flagsText(int64_t row) const;
    double threshold() const { return threshold_; }
    // Filters rows, nothing else: 1e5 rows take some milliseconds.
    void setThreshold(double threshold);
    // Each catalog has its own, also while another one is gone through: by layer, those that were
    // set. The others have the least significance of their rows.
    const std::map<int, double>& thresholds() const { return thresholds_; }
    void setThresholdOf(int layer, double threshold);
    void restoreThresholds(std::map<int, double> thresholds);
    // The same by hand: a step of the history; those of one gesture merge until endGesture().
    void moveThreshold(double threshold);
    void endGesture() { ++gesture_; }
    // Maxima of the inverted map at or above a threshold: so many candidates are expected to be
    // false. None until they have been looked for, or without a significance map.
    std::optional<int64_t> falseAbove(double threshold) const;
    const std::vector<float>& falseSignificances() const { return falseMaxima_; }  // descending

    const Filter& filter() const { return filter_; }
    // False, with the reason in filterProblem(), if the text cannot be read; the rest is taken.
    bool setFilter(const Filter& filter);
    const QString& filterProblem() const { return filterProblem_; }
    // A Decision, or DecisionColumns + a column of the catalog.
    void sortBy(int column, Qt::SortOrder order);
    // Rows of the catalog in their order.
    const std::vector<int64_t>& rows() const { return rows_; }
    int placeOf(int64_t row) const;  // in rows(); -1 if it is not there

    // The row's name, as its catalog has it.
    QString nameOf(int64_t row) const;

    // Matches as a job; matchChanged tells. Stays with the catalog that is gone through.
    void setMatch(const Match& match);
    const Match& match() const { return match_; }
    // The nearest partner of a row; null without one.
    const Partner* partner(int64_t row) const;
    // "3C 273 · 12″ · 0.1 %"
    QString partnerText(int64_t row) const;
    int64_t partnerCount() const;  // rows that have one
    // From each of rows() to its partners, in the frame of the catalog; at most so many.
    std::vector<std::pair<Vec3, Vec3>> links(size_t most) const;

    const Judgement* judgement(int64_t row) const;
    std::vector<Judgement> orphans() const;
    const Counts& counts() const { return counts_; }

    int64_t current() const;  // row that is selected, -1: none
    void setCurrent(int64_t row);
    // Through rows(), staying at the ends; from nothing to the first one.
    void step(int by);
    // Of the current row; the same again takes it back. With `next` the next row is selected. A row
    // without a place takes no decision, nor any row before the decisions of before have found
    // theirs, which refused() says.
    void judge(Verdict verdict, bool next = true);
    void classify(int group);
    void annotate(const QString& note);
    // Decides on all rows() that have a place, in one step.
    void judgeAll(Verdict verdict);

    // The rows of a verdict (None: all that are decided) as a catalog of its own with columns
    // VERDICT, CLASS, NOTE and VERDICT_TIME, and how it came to be in its history.
    Catalog judged(Verdict verdict) const;

signals:
    void layerChanged();
    void rowsChanged();        // which, or their order
    void judgementsChanged();  // rows may have changed too
    void thresholdChanged();
    void falseChanged();
    void matchChanged();
    void matchFailed(const QString& line);
    void refused(const QString& line);

private:
    void takeLayer();
    void takeCatalog();
    void findPlaces();
    void rematch();
    bool hasPlaces();
    void findCompanions();
    std::optional<double> beamOf(const OperationRequest& request) const;
    void findSignificances();
    void lookForFalse();
    void matchJudgements();
    void touchJudgements(const std::vector<int64_t>& ids);
    void claim(int64_t id);
    void settle(int64_t row);
    void makeOrder();
    void makeRows();
    void readFilter();
    void makeMarkers();
    bool passes(int64_t row) const;
    bool hasPlace(int64_t row) const;
    int64_t decidable();                 // the current row, -1 where nothing can be decided
    Judgement draft(int64_t row) const;  // the row's, or a new one of its place
    double matchRadius() const;
    void findPartners();
    void checkMatch();
    void addPartners(Table& table, const std::vector<int64_t>& rows) const;

    // Up to this many rows their markers are made at once, in some milliseconds.
    static constexpr int64_t kAtOnce = 20000;
    struct Condition;
    Document& document_;
    VerdictBook& book_;
    JobRunner& jobs_;
    int layer_ = -1, searched_ = -1, searchedField_ = 0, snrLayer_ = -1, residualLayer_ = -1;
    int taken_ = -1;    // the layer that the rest is of
    int resumed_ = -1;  // the one that is waited for
    int subject_ = -1;  // the layer that was searched, open or not
    int falseJob_ = -1, placesJob_ = -1;
    // What falseMaxima_ are of, or will be.
    std::weak_ptr<const HealpixMap> falseMap_;
    std::weak_ptr<const Catalog> falseCatalog_;
    std::optional<double> falseBeam_;
    bool falseKnown_ = false;
    std::shared_ptr<const Catalog> catalog_;
    // Every row, for finding what lies at a place; null until a job has made it of many.
    std::shared_ptr<const MarkerSet> all_;
    std::optional<double> beam_;
    std::vector<float> significances_, falseMaxima_;
    std::vector<bool> negative_;
    int flagsColumn_ = -1;  // of a search of ours
    float floor_ = 0.0F;
    double threshold_ = 0.0;
    std::map<int, double> thresholds_;
    int gesture_ = 0;
    Filter filter_;
    QString filterProblem_;
    std::vector<Condition> conditions_;
    QStringList words_;
    int sortColumn_ = -1, nameColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    std::vector<int64_t> order_, rows_;
    std::vector<int32_t> places_;       // of each row in rows_, -1: not there
    std::vector<int64_t> judgementOf_;  // id, 0: none
    struct Claim {
        int64_t row = 0;
        double distance = 0.0;
        int64_t id = 0;
        auto operator<=>(const Claim&) const = default;
    };
    // The decisions that lie nearest to a row, of one id and of one row in order.
    std::map<int64_t, Claim> claimOf_;
    std::set<Claim> claims_;
    std::set<int64_t> orphans_;  // ids
    Counts counts_;
    Match match_;
    std::shared_ptr<const Catalog> matchedWith_, matchedOf_;  // that partners_ are of
    std::vector<int32_t> partnerOf_;                          // in partners_, -1: none
    std::vector<Partner> partners_;
    std::vector<std::pair<int64_t, int64_t>> pairs_;  // rows of both
};

// The significances of maxima of the inverted map, descending: pixels of a map of signal to noise
// below -`floor` that are lower than all their neighbors (of equal ones the first), two beams or
// more from every row that is at least `real` sigma (the dips that the filter leaves beside bright
// sources are not noise).
std::vector<float> falseMaxima(const HealpixMap& significance, const MarkerSet& rows,
                               const std::vector<float>& significances, double floor, double real,
                               double beam, JobContext& job);

}  // namespace armilla
