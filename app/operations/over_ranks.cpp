// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/over_ranks.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "anafast_options.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "armilla/io/map_io.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/random_alm.h"
#include "armilla/ops/spectrum.h"
#include "rank_files.h"
#include "rank_operations.h"
#include "transform_parameters.h"

namespace armilla {

void checkResolved(const RankCall& call) {
    GivenSlots given = call.context.wanted;
    for (const auto& [slot, path] : call.inputs) given.emplace(slot->name);
    requireNoProblem(call.operation, call.parameters, given);
}

namespace {

using Complex = std::complex<double>;

const std::string& pathOf(const RankCall& call, std::string_view slot) {
    for (const auto& [each, path] : call.inputs)
        if (each->name == slot) return path;
    throw InvalidArgument("expected an input " + std::string(slot) + ", found none");
}
bool hasInput(const RankCall& call, std::string_view slot) {
    return std::any_of(call.inputs.begin(), call.inputs.end(),
                       [&](const auto& each) { return each.first->name == slot; });
}

// applyBeam of ops, for the share of a rank.
void applyBeamTo(std::span<AlmShare> alm, const Beam& beam) {
    for (size_t component = 0; component < alm.size(); ++component) {
        const std::vector<double>& bl = beam.bl[component];
        AlmShare& share = alm[component];
        for (const int m : share.orders()) {
            const auto values = share.of(m);
            for (int l = m; l <= share.lmax(); ++l)
                values[static_cast<size_t>(l - m)] *=
                    static_cast<size_t>(l) < bl.size() ? bl[static_cast<size_t>(l)] : 0.0;
        }
    }
}

// Makes the map of the coefficients and writes it. Returns the summary of the output.
std::string synthesizeShares(RankCall& call, DistributedSht& plan, std::span<const AlmShare> alm,
                             const SynthesisRequest& request, const JobContext& job) {
    const bool single = call.context.precision == StoredPrecision::Single;
    JobContext working = job.part(0.0, 0.9), writing = job.part(0.9, 1.0);
    std::vector<Field> fields = synthesizedFields(request, alm.size(), single);
    requireMemory("a map of nside " + std::to_string(request.nside),
                  static_cast<int64_t>(fields.size()) * (single ? 4 : 8) * plan.sampleCount());
    std::vector<MapSamples> to;
    for (Field& field : fields) {
        if (single)
            field.values = newVector<float>(plan.sampleCount(), working);
        else
            field.values = newVector<double>(plan.sampleCount(), working);
        to.push_back(samplesOf(field));
    }
    const std::span<const MapSamples> maps(to);
    JobContext first = working.part(0.0, maps.size() == 1 ? 1.0 : 0.3);
    JobContext second = working.part(0.3, 1.0);
    plan.synthesis(0, alm.first(1), maps.first(1), first);
    if (request.derivatives > 0)
        plan.gradient(alm[0], to[1], to[2], second);
    else if (alm.size() == 3)
        plan.synthesis(2, alm.subspan(1), maps.subspan(1), second);
    for (const Field& field : fields) requireFinite(field, working);
    MapOutline outline = outlineOf(request.nside, Ordering::Ring, request.frame, fields);
    outline.like.metadata().object = "FULLSKY";
    writeMapOfRanks(outline, fields, elementsOf(plan.runs()), call, writing);
    return summaryOf(outline.like, request.nside);
}

std::string alm2mapOverRanks(RankCall& call) {
    const auto& options = call.parameters.as<Alm2MapOptions>();
    const std::string& path = pathOf(call, "ALM");
    JobContext reading = call.context.job.part(0.0, 0.1),
               planning = call.context.job.part(0.1, 0.15);
    AlmInput input(call, path, reading);
    checkResolved(call);
    size_t first = 0, count = 1;
    naming(path, [&] {
        if (isTurned(options.frame, input.frame()))
            throw Unsupported("expected one rank to rotate coefficients, or --frame " +
                              std::string(1, frameLetter(input.frame())) + " as theirs, found " +
                              std::to_string(call.ranks.size()) + " ranks and --frame " +
                              std::string(1, frameLetter(*options.frame)));
        if (call.reading.field.empty()) requireSets(input.sets());
        if (!call.reading.field.empty() || options.derivatives)
            first = almIndex(call.reading.field, input.sets());
        else
            count = input.sets();
    });
    ShtParameters parameters;
    parameters.nside = *options.nside;
    parameters.lmax = input.lmax();
    parameters.mmax = input.mmax();
    return naming(path, [&] {
        DistributedSht plan(parameters, call.ranks, planning, call.context.device);
        std::vector<AlmShare> alm;
        for (size_t set = first; set < first + count; ++set)
            alm.push_back(input.take(set, plan, call.ranks, planning));
        if (options.fwhm > 0.0) applyBeamTo(alm, gaussianBeam(options.fwhm, input.lmax()));
        if (options.pixelWindow)
            applyBeamTo(alm, pixelWindow(parameters.nside, input.lmax(), planning));
        const SynthesisRequest request{parameters.nside, options.frame.value_or(input.frame()),
                                       input.unit(), options.derivatives.value_or(0)};
        Json& figures = call.context.figures;
        figures.set("nside", parameters.nside);
        figures.set("lmax", input.lmax());
        figures.set("mmax", input.mmax());
        std::string summary =
            synthesizeShares(call, plan, alm, request, call.context.job.part(0.15, 1.0));
        setRankFigures(call, plan.steps());
        return summary;
    });
}

std::string synfastOverRanks(RankCall& call) {
    const std::string& path = pathOf(call, "CL");
    JobContext drawing = call.context.job.part(0.0, 0.3);
    const Input input =
        readInput(call.operation.inputs.front(), call.parameters, path, call.reading, drawing);
    const Spectra& spectra = input.spectra();
    auto& options = call.parameters.as<SynfastOptions>();
    resolveSynfast(options, spectra);
    checkResolved(call);
    const int lmax = static_cast<int>(*options.lmax);
    if (lmax > spectra.lmax())
        call.context.note(path + ": a spectrum to l = " + std::to_string(spectra.lmax()) +
                          ", no power beyond that");
    noteMissingSpectra(call.context, path, spectra);
    return naming(path, [&] {
        const RandomAlm random(spectra, lmax, static_cast<uint64_t>(options.seed));
        ShtParameters parameters;
        parameters.nside = *options.nside;
        parameters.lmax = lmax;
        DistributedSht plan(parameters, call.ranks, drawing, call.context.device);
        std::vector<AlmShare> alm;
        for (size_t c = 0; c < random.components(); ++c) alm.push_back(plan.newAlm(drawing));
        const std::vector<int> orders = plan.ownOrders();
        parallelFor(
            drawing, static_cast<long long>(orders.size()), 1,
            [&](long long begin, long long end) {
                for (long long i = begin; i < end; ++i) {
                    const int m = orders[static_cast<size_t>(i)];
                    std::vector<std::span<Complex>> columns;
                    for (AlmShare& share : alm) columns.push_back(share.of(m));
                    random.fill(m, columns);
                }
            },
            "random coefficients");
        if (options.fwhm > 0.0) applyBeamTo(alm, gaussianBeam(options.fwhm, lmax));
        const SynthesisRequest request{parameters.nside, options.frame.value_or(Frame::Unknown),
                                       rootUnit(spectra.unit), false};
        Json& figures = call.context.figures;
        figures.set("nside", parameters.nside);
        figures.set("lmax", lmax);
        figures.set("seed", options.seed);
        figures.set("polarization", alm.size() == 3);
        const std::string summary =
            synthesizeShares(call, plan, alm, request, call.context.job.part(0.3, 1.0));
        setRankFigures(call, plan.steps());
        return summary + ", lmax " + std::to_string(lmax) + ", seed " +
               std::to_string(options.seed);
    });
}

// Result of `analyze` over ranks, with the notes and figures of one process.
struct SharedAnalysis {
    AnalyzedMap said;  // without coefficients
    std::unique_ptr<DistributedSht> plan;
    std::vector<AlmShare> alm;
};
SharedAnalysis analyzeShares(RankCall& call, MapInput& input, const TransformOptions& options,
                             const JobContext& job) {
    JobContext planning = job.part(0.0, 0.05), reading = job.part(0.05, 0.15);
    JobContext working = job.part(0.15, 1.0);
    const MapOutline& outline = input.outline();
    SharedAnalysis result;
    result.said.set.frame =
        naming(input.name(), [&] { return framedAsPixels(outline.like.frame(), call.reading); });
    result.said.set.unit = outline.like.field(0).unit;
    result.said.nside = outline.nside;
    return naming(input.name(), [&] {
        const ShtParameters parameters = parametersOf(options, outline.nside);
        result.plan =
            std::make_unique<DistributedSht>(parameters, call.ranks, planning, call.context.device);
        result.said.parameters = result.plan->parameters();
        std::vector<Field> fields = input.read(result.plan->runsOfRanks(), call.ranks, reading);
        if (options.polarization)
            bringToOneUnit(std::array{&fields.at(0), &fields.at(1), &fields.at(2)},
                           call.context.note);
        result.said.taken = takeOut(options.remove, outline.nside, samplesOf(fields.front()),
                                    result.plan->runs(), call.ranks, reading);
        int64_t bad = 0;
        bool mixed = false;
        for (Field& field : fields) {
            int64_t count = 0;
            const int64_t own = fillBadPixels(field, reading);
            for (const auto& each :
                 call.ranks.gatherAll(std::span<const int64_t>(&own, 1), reading))
                count += each.at(0);
            bad = std::max(bad, count);
            mixed = mixed || field.isSingle() != fields.front().isSingle();
        }
        std::vector<ConstMapSamples> samples;
        for (Field& field : fields) {
            if (mixed) widen(field, call.context.job);
            samples.push_back(samplesOf(std::as_const(field)));
        }
        noteBadPixels(call.context, input.name(), bad, pixelCount(outline.nside));
        result.said.goodShare =
            1.0 - static_cast<double>(bad) / static_cast<double>(pixelCount(outline.nside));
        noteMean(call.context, input.name(), result.said.taken, result.said.set.unit);
        for (size_t i = 0; i < fields.size(); ++i)
            result.alm.push_back(result.plan->newAlm(reading));
        const std::span<const ConstMapSamples> from(samples);
        const std::span<AlmShare> alm(result.alm);
        JobContext first = working.part(0.0, fields.size() == 1 ? 1.0 : 0.3);
        result.plan->analysis(0, from.first(1), alm.first(1), first);
        if (fields.size() == 3) {
            JobContext second = working.part(0.3, 1.0);
            result.plan->analysis(2, from.subspan(1), alm.subspan(1), second);
        }
        result.said.taken.putBack(result.alm.front());
        result.said.convergence = result.plan->convergence();
        noteWeights(call.context, result.said.parameters.weights, result.said.nside);
        call.context.note(strategyOf(result.said));
        return std::move(result);
    });
}

std::string map2almOverRanks(RankCall& call) {
    auto& options = call.parameters.as<Map2AlmOptions>();
    JobContext reading = call.context.job.part(0.0, 0.05),
               writing = call.context.job.part(0.9, 1.0);
    MapInput input(call, pathOf(call, "MAP"), map2almColumns(call.parameters), reading);
    if (!options.lmax) options.lmax = defaultLmax(input.outline().nside);
    checkResolved(call);
    const SharedAnalysis analysis =
        analyzeShares(call, input, options, call.context.job.part(0.05, 0.9));
    Json& figures = call.context.figures;
    figures.set("spin", options.spinTaken());
    figures.set("polarization", options.polarization);
    setFigures(figures, analysis.said);
    writeAlmOfRanks(analysis.alm, *analysis.plan, {analysis.said.set.frame, analysis.said.set.unit},
                    call, writing);
    setRankFigures(call, analysis.plan->steps());
    const ShtParameters& parameters = analysis.said.parameters;
    return std::string(options.polarization ? "T, E, B" : "one set") + ", lmax " +
           std::to_string(parameters.lmax) + ", mmax " + std::to_string(parameters.mmax);
}

// powerSpectra over ranks: sums each degree over all m in ascending order. Returns all spectra on
// every rank.
Spectra spectraOfShares(const SharedAnalysis& a, const SharedAnalysis& b, RankCall& call,
                        JobContext& job) {
    const auto byDegree = [&](const SharedAnalysis& each) {
        std::vector<DegreeShare> shares;
        for (const AlmShare& alm : each.alm)
            shares.push_back(toDegrees(alm, each.plan->ownerOfOrder(), call.ranks, job));
        return shares;
    };
    const std::vector<DegreeShare> left = byDegree(a);
    const std::vector<DegreeShare> right = &a == &b ? std::vector<DegreeShare>() : byDegree(b);
    const std::vector<DegreeShare>& other = right.empty() ? left : right;
    constexpr std::array<std::array<size_t, 2>, 6> kPairs{
        {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};  // in the order of SpectrumKind
    Spectra spectra;
    for (size_t kind = 0; kind < (left.size() == 1 ? 1 : kPairs.size()); ++kind) {
        const DegreeShare& x = left[kPairs[kind][0]];
        const DegreeShare& y = other[kPairs[kind][1]];
        std::vector<double> own;
        for (int l = x.begin; l < x.end; ++l) {
            double sum = 0.0;
            for (int m = 0; m <= std::min(l, x.mmax); ++m) {
                const double both = m == 0 ? 1.0 : 2.0;  // m and -m
                const Complex p = x.values[static_cast<size_t>(x.place(l) + m)];
                const Complex q = y.values[static_cast<size_t>(y.place(l) + m)];
                sum += both * (p.real() * q.real() + p.imag() * q.imag());
            }
            own.push_back(sum / (2.0 * static_cast<double>(l) + 1.0));
        }
        std::vector<double>& cl = spectra.cl[kind];
        for (const std::vector<double>& part :
             call.ranks.gatherAll(std::span<const double>(own), job))
            cl.insert(cl.end(), part.begin(), part.end());
    }
    return spectra;
}

std::string anafastOverRanks(RankCall& call) {
    auto& options = call.parameters.as<AnafastOptions>();
    const bool cross = hasInput(call, "MAP2");
    JobContext reading = call.context.job.part(0.0, 0.05),
               writing = call.context.job.part(0.95, 1.0);
    const Columns columns = anafastColumns(call.parameters);
    MapInput first(call, pathOf(call, "MAP"), columns, reading);
    std::unique_ptr<MapInput> second;
    if (cross) second = std::make_unique<MapInput>(call, pathOf(call, "MAP2"), columns, reading);
    if (!options.lmax && (!cross || second->outline().nside == first.outline().nside))
        options.lmax = defaultLmax(first.outline().nside);
    checkResolved(call);
    const SharedAnalysis a =
        analyzeShares(call, first, options, call.context.job.part(0.05, cross ? 0.5 : 0.95));
    auto spectra = std::make_shared<Spectra>();
    RankSteps steps = a.plan->steps();
    if (cross) {
        const SharedAnalysis b =
            analyzeShares(call, *second, options, call.context.job.part(0.5, 0.95));
        if (a.said.parameters.lmax != b.said.parameters.lmax ||
            a.said.parameters.mmax != b.said.parameters.mmax)
            throw InvalidArgument(second->name() + ": expected the lmax of the first map, " +
                                  std::to_string(a.said.parameters.lmax) + ", found " +
                                  std::to_string(b.said.parameters.lmax) + " (--lmax sets both)");
        // Known frames are equal here: `reasonOfAnalysis` leaves different frames to one rank.
        compareFrames({first.name(), a.said.set.frame}, {second->name(), b.said.set.frame},
                      call.context.note);
        *spectra = spectraOfShares(a, b, call, writing);
        spectra->unit = productUnit(a.said.set.unit, b.said.set.unit);
        steps += b.plan->steps();
    } else {
        *spectra = spectraOfShares(a, a, call, writing);
        spectra->unit = productUnit(a.said.set.unit, a.said.set.unit);
    }
    call.context.figures.set("polarization", options.polarization);
    setFigures(call.context.figures, a.said);
    call.context.figures.set("f_sky", a.said.goodShare);
    call.context.figures.set("mean_w2", 1.0);
    setRankFigures(call, steps);
    if (call.ranks.rank() == 0) {
        Output output{"CL", std::shared_ptr<const Spectra>(spectra), ""};
        if (call.finish) call.finish(output);
        writeOutput(output, call.output, call.overwrite, call.context.precision, call.history(),
                    writing);
    }
    return std::string(cross ? "cross" : "auto") + " spectrum, lmax " +
           std::to_string(a.said.parameters.lmax);
}

struct Entry {
    std::string (*reason)(RankCall& call) = nullptr;
    std::string (*run)(RankCall& call) = nullptr;
};

// Reason to analyze the maps on one rank, which rotates coefficients and refuses unknown frames.
std::string reasonOfMapsToAnalyze(RankCall& call, const Columns& columns) {
    if (std::string reason = reasonOfMaps(call, columns); !reason.empty()) return reason;
    ReadRequest request = call.reading;
    request.isBeside = hasInput(call, "MAP2");
    std::set<Frame> frames;
    for (const auto& [slot, path] : call.inputs)
        if (slot->kind == DataKind::Map) {
            const MapInput input(call, path, columns, call.context.job);
            frames.insert(naming(input.name(), [&] {
                return framedAsPixels(input.outline().like.frame(), request);
            }));
        }
    return frames.size() > 1 ? "the rotation of coefficients into one frame is not shared" : "";
}

std::string reasonOfAnalysis(RankCall& call) {
    if (call.parameters.as<Map2AlmOptions>().spinTaken() > 0) return "spin fields are not shared";
    for (const auto& [slot, path] : call.inputs)
        if (slot->name == "mask") return "masks are not shared";
    return reasonOfMapsToAnalyze(call, map2almColumns(call.parameters));
}
std::string reasonOfSynthesis(RankCall& call) {
    const auto& options = call.parameters.as<Alm2MapOptions>();
    if (options.spinTaken() > 0) return "spin fields are not shared";
    if (!options.like.empty()) return "pixels of images are not shared";
    return options.derivatives == 2 ? "second derivatives are not shared" : "";
}
bool holdsAlm(const std::string& path, const JobContext& job) {
    try {
        return inspectFile(path, job.stopToken()).kind == FileKind::Alm;
    } catch (const Error&) {
        return false;  // the reader reports the error
    }
}
std::string reasonOfAnafast(RankCall& call) {
    GivenSlots given;
    for (const auto& [slot, path] : call.inputs) given.emplace(slot->name);
    if (isMasked(call.parameters.as<AnafastOptions>(), given))
        return "masks, bins and beams of spectra are not shared";
    for (const auto& [slot, path] : call.inputs)
        if (slot->orAlm && holdsAlm(path, call.context.job))
            return path + ": spectra of coefficients are not shared";
    return reasonOfMapsToAnalyze(call, anafastColumns(call.parameters));
}

std::string reasonOfSynfast(RankCall& call) {
    if (hasInput(call, "noise")) return "noise is not shared";
    if (hasInput(call, "beam")) return "beams of files are not shared";
    return call.parameters.as<SynfastOptions>().skies > 1 ? "several skies are not shared" : "";
}

const std::map<std::string_view, Entry>& entries() {
    static const std::map<std::string_view, Entry> all{
        {"alm2map", {reasonOfSynthesis, alm2mapOverRanks}},
        {"anafast", {reasonOfAnafast, anafastOverRanks}},
        {"map2alm", {reasonOfAnalysis, map2almOverRanks}},
        {"smooth", {reasonOfSmooth, smoothOverRanks}},
        {"synfast", {reasonOfSynfast, synfastOverRanks}}};
    return all;
}

}  // namespace

std::string reasonOfMaps(RankCall& call, const Columns& columns) {
    for (const auto& [slot, path] : call.inputs) {
        if (slot->kind != DataKind::Map) continue;
        try {
            const MapInput input(call, path, columns, call.context.job);
            if (input.outline().coverage == Coverage::MultiOrder)
                return path + ": cells of several orders are not shared";
        } catch (const Error&) {
            // The reader of whole maps reports errors and other formats.
            return path + ": not to be read in parts";
        }
    }
    return "";
}

void setRankFigures(RankCall& call, const RankSteps& steps) {
    const double own[] = {steps.legendre,
                          steps.fft,
                          steps.exchange,
                          static_cast<double>(call.ranks.bytesSent() + steps.bytesSent),
                          static_cast<double>(steps.deviceBytes),
                          static_cast<double>(steps.exchangedBy),
                          steps.share};
    const auto all = call.ranks.gatherAll(std::span<const double>(own), call.context.job);
    constexpr std::array<const char*, 5> kNames{"legendre", "fft", "exchange", "bytes_sent",
                                                "device_bytes"};
    const std::string device = call.context.device.label();
    const auto devices = call.ranks.gatherAll(std::span<const char>(device), call.context.job);
    Json figures = Json::object();
    figures.set("count", call.ranks.size());
    for (size_t i = 0; i < kNames.size(); ++i) {
        double largest = 0.0, sum = 0.0;
        for (const std::vector<double>& each : all) {
            largest = std::max(largest, each[i]);
            sum += each[i];
        }
        const double mean = sum / static_cast<double>(all.size());
        Json of = Json::object();
        of.set("most", largest);
        of.set("mean", mean);
        of.set("imbalance", mean > 0.0 ? largest / mean : 1.0);
        figures.set(kNames[i], std::move(of));
    }
    // Method of the exchange, device of each rank, and its share of the coefficients.
    Json labels = Json::array(), shares = Json::array();
    double strategy = 0.0;
    for (size_t rank = 0; rank < all.size(); ++rank) {
        labels.add(std::string(devices[rank].begin(), devices[rank].end()));
        shares.add(all[rank].back());
        strategy = std::max(strategy, all[rank][kNames.size()]);
    }
    figures.set("exchange_by", nameOf(static_cast<ExchangedBy>(strategy)));
    figures.set("devices", std::move(labels));
    figures.set("shares", std::move(shares));
    call.context.figures.set("ranks", std::move(figures));
}

bool sharesAmongRanks(const Operation& operation) {
    return entries().contains(operation.id);
}

namespace {

bool isHealSparseOutput(const std::string& path) {
    constexpr std::array<const char*, 4> kSuffixes{".hsp", ".hs", ".hdf5", ".h5"};
    return std::any_of(kSuffixes.begin(), kSuffixes.end(),
                       [&](const char* suffix) { return path.ends_with(suffix); });
}

}  // namespace

std::string reasonForOne(RankCall& call) {
    std::string reason;
    if (call.ranks.rank() == 0) {
        const Entry& entry = entries().at(call.operation.id);
        bool standard = call.output == "-";
        for (const auto& [slot, path] : call.inputs) standard = standard || path == "-";
        if (standard)
            reason = "standard input and output are not shared";
        else if (isHealSparseOutput(call.output))
            reason = "a HealSparse file is not written in parts";
        else if (call.output.ends_with('/'))
            reason = "a HiPS is not written in parts";
        else if (entry.reason != nullptr)
            reason = entry.reason(call);
    }
    const auto bytes = fromFirst(std::as_bytes(std::span(reason)), call.ranks, call.context.job);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string runOverRanks(RankCall& call) {
    return entries().at(call.operation.id).run(call);
}

}  // namespace armilla
