// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla sample OUT`: writes a simulated sky.
#include "armilla/operations/map_values.h"
#include "armilla/ops/sample_sky.h"
#include "operation_list.h"

namespace armilla {

namespace {

struct SampleOptions {
    int64_t nside = 512;
};

void describe(Description& d, SampleOptions& p) {
    d.integer("nside", p.nside,
              {.unit = "none",
               .least = 1,
               .most = kMaxSampleSkyNside,
               .powerOfTwo = true,
               .label = "NSIDE"},
              "resolution of the map");
}

Outputs run(Context& context, Inputs& /*inputs*/, const SampleOptions& options) {
    HealpixMap map = sampleSky(options.nside, context.job);
    context.figures.set("nside", map.nside());
    const std::string summary = summaryOf(map) + ", microkelvin, simulated";
    return {{"OUT", std::make_shared<const HealpixMap>(std::move(map)), summary}};
}

}  // namespace

Operation sampleOperation() {
    return define<SampleOptions>(
        {.id = "sample",
         .title = "Sample sky",
         .help = "make a simulated sky to try the program on",
         .outputs = {{.name = "OUT", .kind = DataKind::Map, .help = "output map"}},
         .manual = "The sky is a field like the microwave background with a beam of 10 arcmin, a "
                   "plane with clouds and filaments, and 220 point sources. It is in microkelvin, "
                   "in the Galactic frame, and the same on every machine.",
         .keyParameters = "nside"},
        {.run = run});
}

}  // namespace armilla
