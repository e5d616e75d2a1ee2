// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla remove MAP CATALOG OUT`: removes the sources of a catalog from a map.
#include <array>
#include <cmath>

#include "armilla/core/counted.h"
#include "armilla/core/physical_unit.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/inpaint.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/sources.h"
#include "armilla/ops/spectrum.h"
#include "catalog_rows.h"
#include "operation_list.h"
#include "point_filter.h"

namespace armilla {

namespace {

enum class Removal { Subtract, Inpaint };
constexpr std::array<Choice<Removal>, 2> kRemovals{
    {{"subtract", Removal::Subtract}, {"inpaint", Removal::Inpaint}}};

struct RemoveOptions {
    Removal how = Removal::Subtract;
    std::optional<double> fwhm;
    bool pixelWindow = false;
    std::string peak;  // empty: PEAK
    double beams = 3.0;
    PositionNames positions;
};

void describe(Description& d, RemoveOptions& p) {
    d.choice("how", p.how, kRemovals, {},
             "method: subtract the beam times the peak, or fill a disc from its edge");
    describeBeamWidth(d, p.fwhm, kArcsec);
    d.flag("pixel-window", p.pixelWindow,
           {.advanced = true, .applies = [&p] { return p.how == Removal::Subtract; }},
           "include the pixel window in the beam, for a sky averaged over pixels");
    d.text("peak", p.peak,
           {.standard = "PEAK",
            .placeholder = "COLUMN",
            .applies = [&p] { return p.how == Removal::Subtract; }},
           "column of CATALOG with the peak brightness, in the unit of MAP");
    d.number("beams", p.beams,
             {.unit = "none",
              .least = 0.1,
              .most = 1000.0,
              .sliderMost = 10.0,
              .applies = [&p] { return p.how == Removal::Inpaint; }},
             "diameter of the discs in FWHM of the beam");
    describePositions(d, p.positions);
}

Problems check(const RemoveOptions& p, const GivenSlots& given) {
    Problems problems;
    checkOneBeam(p.fwhm.has_value(), given, problems);
    checkPositions(p.positions, problems);
    return problems;
}

PointBeam beamOf(const Inputs& inputs, const RemoveOptions& p, const HealpixMap& map,
                 const JobContext& job) {
    const Input* file = inputs.find("beam");
    return naming(file != nullptr ? file->name : std::string(), [&] {
        return beamOfMap(file != nullptr ? file->beam().bl[0] : PointBeam::gaussian(*p.fwhm).bl,
                         map, p.pixelWindow, job);
    });
}

// Rows with a position, in the frame of the map.
struct Placed {
    std::vector<Vec3> directions;
    std::vector<int64_t> rows;
};
Placed placesOf(const Catalog& catalog, Frame frame) {
    const Mat3 turn = frameRotation(frame, catalog.frame());
    Placed placed;
    for (int64_t row = 0; row < catalog.rows(); ++row) {
        const LonLat at = catalog.at(row);
        if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) continue;
        placed.directions.push_back(turn * direction(at));
        placed.rows.push_back(row);
    }
    return placed;
}

std::vector<double> peaksOf(const Catalog& catalog, const std::string& name,
                            const std::string& unit) {
    const TableColumn& column =
        catalog.table.columns[static_cast<size_t>(catalog.table.columnIndex(name))];
    if (column.isText() || column.width != 1)
        throw InvalidArgument("expected a column of numbers, found " + column.name);
    if (!column.unit.empty() && !unit.empty() && column.unit != unit &&
        unitRatio(standardUnit(column.unit), standardUnit(unit)) != 1.0)
        throw InvalidArgument("expected " + column.name + " in the unit of the map, '" + unit +
                              "', found '" + column.unit + "'");
    std::vector<double> values;
    for (int64_t row = 0; row < catalog.rows(); ++row) values.push_back(column.number(row));
    return values;
}

// Model of a row as the command sources fitted it: the beam, or, for a row flagged as extended, the
// Gaussian of FWHM_MAJ, FWHM_MIN and POS_ANG.
class Models {
public:
    explicit Models(const Table& table) : table_(table) {
        for (const char* name : {"FLAGS", "FWHM_MAJ", "FWHM_MIN", "POS_ANG"}) {
            const auto column = table.find(name);
            columns_.push_back(column.value_or(-1));
            // A FLAGS column of another program has other meanings.
            isOurs_ = isOurs_ && column && !table.columns[static_cast<size_t>(*column)].isText();
        }
    }
    std::vector<PointSource> pointsOf(int64_t row, Vec3 at, double peak, double fwhm) const {
        Source source;
        source.direction = at;
        source.modelPeak = peak;
        if (isOurs_ && (static_cast<int64_t>(number(0, row)) & kSourceExtended) != 0) {
            source.flags = kSourceExtended;
            source.major = number(1, row) * kDegree;
            source.minor = number(2, row) * kDegree;
            source.angle = number(3, row) * kDegree;
        }
        return armilla::pointsOf(source, fwhm);
    }

private:
    double number(size_t which, int64_t row) const {
        return table_.columns[static_cast<size_t>(columns_[which])].number(row);
    }
    const Table& table_;
    std::vector<int> columns_;
    bool isOurs_ = true;
};

Outputs run(Context& context, Inputs& inputs, const RemoveOptions& p) {
    Input& input = inputs["MAP"];
    const Input& rows = inputs["CATALOG"];
    HealpixMap map = atOneOrder(input.takeMap(), input.name, "taken", context.note, context.job);
    const int field = input.fields.front();
    if (context.precision == StoredPrecision::Double) widen(map.field(field), context.job);
    const PointBeam beam = beamOf(inputs, p, map, context.job);
    const Placed placed = naming(rows.name, [&] { return placesOf(rows.catalog(), map.frame()); });
    std::string words;
    if (p.how == Removal::Inpaint) {
        const Inpainting done =
            inpaintDiscs(map, field, placed.directions, 0.5 * p.beams * beam.fwhm(), context.job);
        context.figures.set("pixels", done.pixels);
        words = counted(placed.rows.size(), "disc") + ", " + counted(done.pixels, "pixel") +
                " filled from around";
        if (done.alone > 0)
            context.note(counted(done.alone, "pixel") +
                         " without good pixels around: left as before");
    } else {
        const std::vector<double> peaks = naming(rows.name, [&] {
            return peaksOf(rows.catalog(), p.peak.empty() ? "PEAK" : p.peak, map.field(field).unit);
        });
        const Models models(rows.catalog().table);
        std::vector<PointSource> away;
        size_t taken = 0;
        for (size_t i = 0; i < placed.rows.size(); ++i) {
            const double peak = peaks[static_cast<size_t>(placed.rows[i])];
            if (!std::isfinite(peak)) continue;
            ++taken;
            for (const PointSource& point :
                 models.pointsOf(placed.rows[i], placed.directions[i], -peak, beam.fwhm()))
                away.push_back(point);
        }
        map = withSources(map, field, away, beam, context.job);
        words = counted(taken, "source") + " subtracted";
        if (taken < placed.rows.size())
            context.note(counted(placed.rows.size() - taken, "row") +
                         " without a peak: not removed");
    }
    context.figures.set("sources", static_cast<int64_t>(placed.rows.size()));
    const std::string summary = summaryOf(map) + "; " + words;
    Outputs outputs;
    outputs.push_back({"OUT", std::make_shared<const HealpixMap>(std::move(map)), summary});
    return outputs;
}

}  // namespace

Operation removeOperation() {
    return define<RemoveOptions>(
        {.id = "remove",
         .title = "Remove sources",
         .help =
             "remove the sources of a catalog from a map: subtract them, or fill discs from around",
         .inputs = {{.name = "MAP", .kind = DataKind::Map, .help = "input map"},
                    {.name = "CATALOG",
                     .kind = DataKind::Catalog,
                     .help = "catalog of sources",
                     .frame = FrameRule::Compared,
                     .columns =
                         [](const ParameterSet& parameters) {
                             return columnsOfPositions(parameters.as<RemoveOptions>().positions);
                         }},
                    {.name = "beam",
                     .kind = DataKind::Beam,
                     .help = "file of B_l of the beam, FITS or text",
                     .isOption = true,
                     .isOptional = true}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Map,
                      .help = "output map without the sources",
                      .continues = "MAP"}},
         .manual =
             "With subtract, the beam times --peak is subtracted around the position of each row. "
             "Sources found by the command sources disappear up to the errors of their peaks. For "
             "rows flagged as extended, the Gaussian of FWHM_MAJ, FWHM_MIN and POS_ANG is "
             "subtracted, as fitted in the frame of the searched map. With inpaint, the pixels "
             "within a disc around each row become the smoothest continuation of the pixels "
             "around: each is the mean of its eight neighbors. Bad pixels stay bad.",
         .keyParameters = "how,fwhm"},
        {.check = check, .run = run});
}

}  // namespace armilla
