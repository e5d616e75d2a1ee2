// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on the rows of a catalog, block after block: `select`, `count` and `lookup`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "armilla/core/region.h"
#include "armilla/io/table_blocks.h"
#include "armilla/operations/position_names.h"
#include "armilla/ops/credible.h"
#include "armilla/ops/credible_volume.h"

namespace armilla {

struct CountOptions {
    std::optional<int64_t> nside;
    Ordering ordering = Ordering::Ring;
    std::string weight;
    PositionNames positions;
};
void describe(Description& d, CountOptions& p);

// Sums of `count`. Blocks are added in their order, so that sums of weights do not depend on them.
class RowCounts {
public:
    RowCounts(const CountOptions& p, JobContext& job);
    void add(const Input& catalog, JobContext& job);
    // The output, its figures and notes.
    Outputs finish(Context& context);

private:
    int64_t nside_;
    Ordering ordering_;
    std::string weight_;
    std::vector<double> sums_;
    Field field_;
    Frame frame_ = Frame::Unknown;
    int64_t taken_ = 0, withoutPlace_ = 0, withoutWeight_ = 0;
};

enum class Between { Nearest, Bilinear };
struct LookupOptions {
    Between interpolation = Between::Nearest;
    PositionNames positions;
};
void describe(Description& d, LookupOptions& p);

// Columns that `lookup` adds to a catalog.
class LookedUp {
public:
    // `input` must outlive this object.
    LookedUp(const LookupOptions& p, const Input& input, const Context& context, JobContext& job);
    // Adds columns for the positions of `catalog`, whose rows are those of `table`.
    void addTo(Table& table, const Catalog& catalog, JobContext& job) const;

private:
    const Input& input_;
    Between between_;
    std::vector<int> fields_;
    bool isCoverage_ = false, isMask_ = false;
    std::optional<CredibleLevels> levels_;
};
int64_t rowsWithoutPlace(const Catalog& catalog);
// Sets the figures and returns the summary; columns from `before` on were added.
std::string setLookedUp(Context& context, const Table& table, size_t before, int64_t rows);

struct SelectOptions {
    std::string where, region, level, distance;
    std::vector<std::string> columns;
    PositionNames positions;
};
void describe(Description& d, SelectOptions& p);

// The conditions of `select`.
class SelectedRows {
public:
    // Arguments must outlive this object; `inputs` holds the masks and maps of conditions.
    SelectedRows(const SelectOptions& p, const Inputs& inputs, Context& context, JobContext& job);
    // The rows of a catalog, or of a table, that fulfill all conditions; ascending.
    std::vector<int64_t> operator()(const Input& catalog, JobContext& job);
    // The columns that conditions need, beside positions. Throws as the conditions.
    std::vector<std::string> columns(const Table& outline) const;
    // Parts of the sky, in ICRS, that hold all selected rows of a catalog in ICRS.
    std::vector<DiscUnion> parts(JobContext& job) const;

private:
    void keepVolume(std::vector<char>& kept, const Input& input);

    const SelectOptions& p_;
    const Inputs& inputs_;
    Context& context_;
    std::vector<std::vector<Region>> regions_;  // one list for each --inside
    std::optional<CredibleLevels> levels_;
    std::optional<CredibleVolume> volume_;
    int distances_ = 0;  // field of DISTMU
    std::optional<double> distanceRatio_;
};
// These rows of the input, with the columns that are named (empty: all).
Data selectedRows(const Input& input, const std::vector<int64_t>& rows,
                  const std::vector<std::string>& columns);
// Sets the figures and returns the summary.
std::string setSelected(Context& context, int64_t rows, int64_t read);

}  // namespace armilla
