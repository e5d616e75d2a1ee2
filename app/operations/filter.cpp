// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla filter MAP OUT`: the brightness of a point source at each pixel.
#include "operation_list.h"
#include "operations/map_values.h"
#include "point_filter.h"

namespace armilla {

namespace {

struct FilterOptions : PointFilterOptions {};

void describe(Description& d, FilterOptions& p) {
    describePointFilter(d, p);
}

Problems check(const FilterOptions& options, const GivenSlots& given) {
    return checkPointFilter(options, given);
}

Outputs run(Context& context, Inputs& inputs, const FilterOptions& options) {
    const std::shared_ptr<const HealpixMap> map = mapToFilter(context, inputs);
    const Input& input = inputs["MAP"];
    const int field = input.fields.front();
    JobContext working = context.job.part(0.05, 0.95), writing = context.job.part(0.95, 1.0);
    const FilterParameters parameters = filterParameters(context, inputs, options, *map);
    FilterPlan plan(map, field, context.device);
    const FilteredSky sky = naming(input.name, [&] { return plan.execute(parameters, working); });
    HealpixMap filtered = filteredMap(*map, field, sky, writing);
    const std::string summary =
        summaryOf(filtered) + "; " + tellFilter(context, sky, parameters, map->field(field).unit);
    Outputs outputs;
    outputs.push_back({"OUT", std::make_shared<const HealpixMap>(std::move(filtered)), summary});
    if (context.wanted.contains("snr")) {
        HealpixMap snr = significanceMap(*map, field, sky, writing);
        const std::string words = summaryOf(snr) + ", in units of the local noise";
        outputs.push_back({"snr", std::make_shared<const HealpixMap>(std::move(snr)), words});
    }
    return outputs;
}

}  // namespace

Operation filterOperation() {
    return define<FilterOptions>(
        {.id = "filter",
         .title = "Filter for sources",
         .help = "the sky through a filter for point sources: their brightness at each pixel",
         .inputs = pointFilterInputs(),
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Map,
                      .help = "the filtered map, in the map's unit; with bad pixels or a mask also "
                              "the share of the response on good ones"},
                     {.name = "snr",
                      .kind = DataKind::Map,
                      .help = "the same divided by its local noise",
                      .isOption = true}},
         .devices = kShtSupport,
         .manual =
             "Each pixel of the result is the brightness that a point source at its center would "
             "have at its peak: the filter's response to the beam is 1 there. The matched filter, "
             "b_l / C_l, has the least noise; Mexican hats of order 1 to 4 and the difference of "
             "two top hats need no spectrum. No monopole or dipole gets through.\n\n"
             "The background's spectrum is taken from the map, twice, the second time without the "
             "bright sources that the first has found, or is given (C_l of the sky before the "
             "beam; noise is added as --noise says, or as the map shows at large l). Bad and "
             "masked pixels are filled smoothly from their rims; where the rest of the response "
             "that falls on good ones is below --edge, the result is bad.\n\n"
             "The local noise is the rms of the result without its bright sources, in cells of a "
             "dozen beams, clipped at 3 sigma; within them it follows --noise where that is a "
             "map.",
         .keyParameters = "type,fwhm"},
        {.check = check, .run = run});
}

}  // namespace armilla
