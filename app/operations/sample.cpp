// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla sample OUT`: writes a simulated sky.
#include "armilla/core/counted.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/sample_sky.h"
#include "operation_list.h"

namespace armilla {

namespace {

constexpr Choice<SampleKind> kKinds[] = {{"microwave", SampleKind::Microwave, "microwave sky"},
                                         {"sources", SampleKind::Sources, "point sources"},
                                         {"radio", SampleKind::Radio, "radio brightness"},
                                         {"probability", SampleKind::Probability, "probability"}};

struct SampleOptions {
    int64_t nside = 512;
    SampleKind kind = SampleKind::Microwave;
};

void describe(Description& d, SampleOptions& p) {
    d.integer("nside", p.nside,
              {.unit = "none",
               .least = 1,
               .most = kMaxSampleSkyNside,
               .powerOfTwo = true,
               .label = "NSIDE"},
              "resolution of the map");
    d.choice("kind", p.kind, kKinds, {}, "kind of the sky");
}

bool hasSources(SampleKind kind) {
    return kind == SampleKind::Microwave || kind == SampleKind::Sources;
}

Problems check(const SampleOptions& p, const GivenSlots& given) {
    Problems problems;
    if (given.contains("catalog") && !hasSources(p.kind))
        problems.push_back({"kind",
                            "expected microwave or sources, whose sky has point sources "
                            "for --catalog, found another kind"});
    if (given.contains("samples") && p.kind != SampleKind::Radio)
        problems.push_back({"kind", "expected radio with --samples, found another kind"});
    return problems;
}

Outputs run(Context& context, Inputs& /*inputs*/, const SampleOptions& options) {
    HealpixMap map = sampleSky(options.kind, options.nside, context.job);
    context.figures.set("nside", map.nside());
    const std::string unit = options.kind == SampleKind::Probability ? "probability"
                             : hasSources(options.kind)              ? "microkelvin"
                                                                     : "kelvin";
    Outputs outputs;
    if (context.wanted.contains("catalog")) {
        auto sources = std::make_shared<const Catalog>(sampleSources(options.kind));
        outputs.push_back({"catalog", sources, counted(sources->rows(), "source")});
    }
    if (context.wanted.contains("samples")) {
        auto samples = std::make_shared<const Catalog>(sampleScans(map, context.job));
        outputs.push_back({"samples", samples, counted(samples->rows(), "sample")});
    }
    const std::string summary = summaryOf(map) + ", " + unit + ", simulated";
    outputs.insert(outputs.begin(),
                   {"OUT", std::make_shared<const HealpixMap>(std::move(map)), summary});
    return outputs;
}

}  // namespace

Operation sampleOperation() {
    return define<SampleOptions>(
        {.id = "sample",
         .title = "Sample sky",
         .help = "make a simulated sky to try the program on",
         .outputs = {{.name = "OUT", .kind = DataKind::Map, .help = "output map"},
                     {.name = "catalog",
                      .kind = DataKind::Catalog,
                      .help = "output catalog of the point sources in the sky",
                      .isOption = true},
                     {.name = "samples",
                      .kind = DataKind::Catalog,
                      .help = "output table of samples along the scans of a single dish, of --kind "
                              "radio",
                      .isOption = true}},
         .manual =
             "A microwave sky is a field like the microwave background with a beam of 10 arcmin, "
             "a plane with clouds and filaments, and 220 point sources, in microkelvin. A sky of "
             "sources has 400 point sources with a beam of 30 arcmin in white noise of 20 "
             "microkelvin. Both are in the Galactic frame.\n\nA radio sky is a brightness in "
             "kelvin with a beam of 20 arcmin; its samples cover a square of 8 degrees around RA "
             "180, Dec 30. A probability is that of the place of a gravitational wave. Both are "
             "equatorial.\n\nEach sky is the same on every machine.",
         .keyParameters = "kind,nside"},
        {.check = check, .run = run});
}

}  // namespace armilla
