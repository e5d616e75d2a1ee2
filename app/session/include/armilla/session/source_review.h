// SPDX-License-Identifier: GPL-3.0-or-later
// Visual review of source candidates: the selected and sorted rows of a catalog, and their
// verdicts. No widgets.
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

#include "armilla/core/table.h"
#include "armilla/session/document.h"
#include "armilla/session/operation_run.h"
#include "armilla/session/verdicts.h"

namespace armilla {

class JobRunner;

// Rows of one catalog layer above a significance threshold, and all decided rows. A decided row is
// hidden only by the filter. The selection is that of the document.
class SourceReview : public QObject {
    Q_OBJECT
public:
    // Conditions on the listed rows.
    struct Filter {
        bool undecided = true, accepted = true, rejected = true, unsure = true;
        // Words contained in the name or note, and conditions such as "SNR > 7" or "|GLAT| >= 20".
        QString text;
        bool operator==(const Filter&) const = default;
    };
    // Numbers of rows by verdict.
    struct Counts {
        int64_t candidates = 0;  // at or above the threshold
        int64_t accepted = 0, rejected = 0, unsure = 0, undecided = 0;
        int64_t orphans = 0;  // decisions on this subject without a row at their position
    };
    // Columns that are added before those of the catalog.
    enum Decision { VerdictColumn, ClassColumn, NoteColumn, MatchColumn, DecisionColumns };
    // The other catalog to match with, and the matching criterion.
    struct Match {
        int layer = -1;  // -1: none
        // radians; none: from the position errors of both catalogs (POS_ERR)
        std::optional<double> radius;
        // all pairs within the radius; else the best pair, each row used once
        bool all = false;
        bool operator==(const Match&) const = default;
    };
    // The match of a row.
    struct Partner {
        int64_t row = -1;         // row in the other catalog
        double separation = 0.0;  // radians
        double chance = 0.0;      // probability that an unrelated row lies this near
        int others = 0;           // further rows within the radius, if `all` is set
    };

    // All three arguments must outlive the review.
    SourceReview(Document& document, VerdictBook& book, JobRunner& jobs, QObject* parent = nullptr);
    ~SourceReview() override;

    // The reviewed catalog; -1: none.
    void setLayer(int id);
    int layer() const { return layer_; }
    // Calls setLayer() once the layer is restored, unless another layer is chosen earlier.
    void resume(int id);
    int awaited() const { return resumed_; }  // the layer that resume() waits for; -1: none
    const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }
    // Layers of the same search: the searched map, the filtered map over its noise, and the map
    // without the sources. -1: not open.
    int searchedMap() const { return searched_; }
    int significanceMap() const { return snrLayer_; }
    int residualMap() const { return residualLayer_; }
    int searchedField() const { return searchedField_; }
    // FWHM of the search, radians; none for an opened catalog, or for a search without B_l.
    std::optional<double> beam() const { return beam_; }
    // The request that made the catalog; none for an opened catalog, or one made by another version
    // of the program.
    std::optional<OperationRequest> search() const;

    // |SNR| of each row, NaN if unknown; empty if the catalog has no SNR.
    const std::vector<float>& significances() const { return significances_; }
    // True if the SNR is negative: the source lowers the map.
    bool isNegative(int64_t row) const;
    bool hasNegative() const;  // any row
    // Signed SNR, such as "−12.3"; empty if unknown.
    QString significanceText(int64_t row) const;
    // The bits of FLAGS in words, for a catalog made by the command sources; empty for others.
    QString flagsText(int64_t row) const;
    // Significance threshold of the reviewed catalog.
    double threshold() const { return threshold_; }
    // Only refilters the rows: 1e5 rows take some milliseconds.
    void setThreshold(double threshold);
    // Each catalog has its own threshold, also while another catalog is reviewed. The map holds the
    // thresholds that were set, by layer. The default is the least significance of the rows.
    const std::map<int, double>& thresholds() const { return thresholds_; }
    void setThresholdOf(int layer, double threshold);
    void restoreThresholds(std::map<int, double> thresholds);
    // Sets the threshold as a history step; changes of one gesture merge until endGesture().
    void moveThreshold(double threshold);
    void endGesture() { ++gesture_; }
    // Number of maxima of the inverted map at or above a threshold: the expected number of false
    // candidates. None before the count has finished, or without a significance map.
    std::optional<int64_t> falseAbove(double threshold) const;
    const std::vector<float>& falseSignificances() const { return falseMaxima_; }  // descending

    const Filter& filter() const { return filter_; }
    // Returns false, with the reason in filterProblem(), for an invalid text; the valid conditions
    // apply.
    bool setFilter(const Filter& filter);
    const QString& filterProblem() const { return filterProblem_; }
    // `column`: a Decision, or DecisionColumns + a column of the catalog.
    void sortBy(int column, Qt::SortOrder order);
    // Rows of the catalog in sorted order.
    const std::vector<int64_t>& rows() const { return rows_; }
    int placeOf(int64_t row) const;  // index in rows(); -1 if absent

    // Name of the row from its catalog.
    QString nameOf(int64_t row) const;

    // Matches in a job; matchChanged is emitted at its end. The match belongs to the reviewed
    // catalog.
    void setMatch(const Match& match);
    const Match& match() const { return match_; }
    // The nearest partner of a row; null if there is none.
    const Partner* partner(int64_t row) const;
    // "3C 273 · 12″ · 0.1 %"
    QString partnerText(int64_t row) const;
    int64_t partnerCount() const;  // rows with a partner
    // Pairs of positions from rows() to their partners, in the frame of the catalog; at most
    // `most`.
    std::vector<std::pair<Vec3, Vec3>> links(size_t most) const;

    // The decision on a row; null if there is none.
    const Judgement* judgement(int64_t row) const;
    // Decisions on this subject without a row at their position.
    std::vector<Judgement> orphans() const;
    const Counts& counts() const { return counts_; }

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
    void thresholdChanged();
    // The count of false maxima is ready or has been dropped.
    void falseChanged();
    // Partners were computed or dropped.
    void matchChanged();
    void matchFailed(const QString& line);
    // A decision was refused, with the reason.
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
    int64_t decidable();                 // the current row, -1 if it cannot be decided
    Judgement draft(int64_t row) const;  // the judgement of the row, or a new one at its position
    double matchRadius() const;
    void findPartners();
    void checkMatch();
    void addPartners(Table& table, const std::vector<int64_t>& rows) const;

    // Up to this many rows, markers are made at once, within some milliseconds.
    static constexpr int64_t kAtOnce = 20000;
    struct Condition;
    Document& document_;
    VerdictBook& book_;
    JobRunner& jobs_;
    int layer_ = -1, searched_ = -1, searchedField_ = 0, snrLayer_ = -1, residualLayer_ = -1;
    int taken_ = -1;    // the layer that the other members describe
    int resumed_ = -1;  // the layer that resume() waits for
    int subject_ = -1;  // the searched layer, open or not
    int falseJob_ = -1, placesJob_ = -1;
    // Inputs of falseMaxima_, or of its running job.
    std::weak_ptr<const HealpixMap> falseMap_;
    std::weak_ptr<const Catalog> falseCatalog_;
    std::optional<double> falseBeam_;
    bool falseKnown_ = false;
    std::shared_ptr<const Catalog> catalog_;
    // Positions of all rows, for lookups; null until a job has made the set for a large catalog.
    std::shared_ptr<const MarkerSet> all_;
    std::optional<double> beam_;
    std::vector<float> significances_, falseMaxima_;
    std::vector<bool> negative_;
    int flagsColumn_ = -1;  // FLAGS column of a catalog made by the command sources
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
    std::vector<int32_t> places_;       // index in rows_ by catalog row, -1: absent
    std::vector<int64_t> judgementOf_;  // judgement id by row, 0: none
    struct Claim {
        int64_t row = 0;
        double distance = 0.0;
        int64_t id = 0;
        auto operator<=>(const Claim&) const = default;
    };
    // Claims of decisions on their nearest rows, by decision id, and sorted by row.
    std::map<int64_t, Claim> claimOf_;
    std::set<Claim> claims_;
    std::set<int64_t> orphans_;  // ids of decisions
    Counts counts_;
    Match match_;
    std::shared_ptr<const Catalog> matchedWith_, matchedOf_;  // inputs of partners_
    std::vector<int32_t> partnerOf_;                          // index in partners_, -1: none
    std::vector<Partner> partners_;
    std::vector<std::pair<int64_t, int64_t>> pairs_;  // rows of both catalogs
};

// Significances of the maxima of the inverted map, descending. These are pixels of a
// signal-to-noise map below -`floor` that are lower than all neighbors (the first of equal ones).
// Pixels within two beams of a row of at least `real` sigma are left out. There the filter leaves
// dips around bright sources, which are not noise.
std::vector<float> falseMaxima(const HealpixMap& significance, const MarkerSet& rows,
                               const std::vector<float>& significances, double floor, double real,
                               double beam, JobContext& job);

}  // namespace armilla
