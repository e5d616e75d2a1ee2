// SPDX-License-Identifier: GPL-3.0-or-later
#include "convert_harmonic.h"

#include <algorithm>
#include <array>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/low_multipoles.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/spectrum.h"
#include "transform_parameters.h"

namespace armilla {

namespace {

// Fields that are transformed together: one scalar, or Q and U.
using Group = std::vector<int>;

std::vector<Group> groupsOf(const HealpixMap& map) {
    requireWholePolarization(map);
    std::vector<Group> groups;
    std::vector<bool> isPaired(static_cast<size_t>(map.fieldCount()), false);
    for (const auto& [q, u] : map.polarizationPairs()) {
        groups.push_back({q, u});
        isPaired[static_cast<size_t>(q)] = isPaired[static_cast<size_t>(u)] = true;
    }
    for (int i = 0; i < map.fieldCount(); ++i)
        if (!isPaired[static_cast<size_t>(i)]) groups.push_back({i});
    return groups;
}

// Quotient of the pixel windows of the result and of the input. A window of 0 (l < 2 of
// polarization) leaves nothing to divide.
std::vector<double> windowRatio(int64_t from, int64_t to, int lmax, bool isSpin, JobContext& job) {
    JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
    const Beam input = pixelWindow(from, lmax, first), output = pixelWindow(to, lmax, second);
    const size_t kind = isSpin ? 1 : 0;
    const std::vector<double>& divisor = input.bl[kind];
    std::vector<double> ratio = output.bl[kind];
    for (size_t l = 0; l < ratio.size(); ++l)
        ratio[l] = divisor[l] > 0.0 ? ratio[l] / divisor[l] : 0.0;
    return ratio;
}

class Conversion {
public:
    Conversion(Context& context, const HealpixMap& map, const HarmonicConversion& options,
               const JobContext& planning)
        : context_(context),
          options_(options),
          inputNside_(map.nside()),
          analysis_(planOf(map.nside(), planning.part(0.0, 0.5))),
          synthesis_(planOf(options.nside, planning.part(0.5, 1.0))),
          isTurned_(options.frame != map.frame()) {
        if (isTurned_) turn_ = frameRotation(options.frame, map.frame());
    }

    // The values of the group's fields after the conversion.
    void convert(HealpixMap& map, const Group& group, std::vector<Field>& out, JobContext& job) {
        JobContext before = job.part(0.0, 0.45), rotating = job.part(0.45, 0.5),
                   resolving = job.part(0.5, 0.55), after = job.part(0.55, 1.0);
        const bool isSpin = group.size() == 2;
        for (const int i : group)
            if (map.field(i).isSingle()) widen(map.field(i), before);
        TakenOut mean;
        if (!isSpin) {
            Field& field = map.field(group.front());
            mean = takeOut(Remove::None, samplesOf(field), before);
            noteMean(context_, field.name, mean, field.unit);
        }
        for (const int i : group) bad_ = std::max(bad_, fillBadPixels(map.field(i), before));
        const auto from = [&](size_t i) { return samplesOf(std::as_const(map).field(group[i])); };
        std::vector<Alm> alm;
        if (isSpin)
            alm = analysis_.analysisSpin(2, from(0), from(1), before);
        else
            alm.push_back(analysis_.analysis(from(0), before));
        mean.putBack(alm.front());
        if (isTurned_) rotateAlm(alm, turn_, Device::cpu(), rotating);
        if (options_.nside != inputNside_) changeResolution(map, group, alm, resolving);
        std::array<MapSamples, 2> to;
        for (size_t i = 0; i < group.size(); ++i) {
            Field& field = out[static_cast<size_t>(group[i])];
            field.values = newVector<double>(pixelCount(options_.nside), after);
            to[i] = samplesOf(field);
        }
        if (isSpin)
            synthesis_.synthesisSpin(2, std::span<const Alm, 2>(alm.data(), 2), to[0], to[1],
                                     after);
        else
            synthesis_.synthesis(alm.front(), to[0], after);
    }
    int64_t badPixels() const { return bad_; }
    const ShtParameters& analysisParameters() const { return analysis_.parameters(); }

private:
    ShtPlan planOf(int64_t nside, JobContext job) const {
        return {parameters(nside), Device::cpu(), job};
    }
    ShtParameters parameters(int64_t nside) const {
        ShtParameters p;
        p.nside = nside;
        p.lmax =
            static_cast<int>(options_.lmax.value_or(3 * std::min(inputNside_, options_.nside) - 1));
        p.weights = options_.weights;
        p.iterations = options_.iterations;
        return p;
    }
    void changeResolution(const HealpixMap& map, const Group& group, std::vector<Alm>& alm,
                          JobContext& job) const {
        const bool isSpin = group.size() == 2;
        std::vector<double> factor =
            windowRatio(inputNside_, options_.nside, alm.front().lmax(), isSpin, job);
        const Degrade rule = options_.degrade.value_or(degradeRule(map.field(group.front())));
        const double area = static_cast<double>(pixelCount(inputNside_)) /
                            static_cast<double>(pixelCount(options_.nside));
        if (rule == Degrade::Sum)
            for (double& f : factor) f *= area;
        applyBeam(alm, Beam{{factor, factor, factor}}, job);
    }

    Context& context_;
    const HarmonicConversion& options_;
    int64_t inputNside_;
    ShtPlan analysis_, synthesis_;
    bool isTurned_;
    Mat3 turn_;
    int64_t bad_ = 0;
};

}  // namespace

HealpixMap convertedByHarmonics(Context& context, const std::string& name, HealpixMap map,
                                const HarmonicConversion& options) {
    JobContext preparing = context.job.part(0.0, 0.05), planning = context.job.part(0.05, 0.1),
               working = context.job.part(0.1, 1.0);
    map = atOneOrder(std::move(map), name, "analyzed", context.note, preparing);
    map = fullRing(std::move(map), preparing);
    const std::vector<Group> groups = groupsOf(map);
    noteBandLimit(context, options.lmax, std::min(map.nside(), options.nside));
    std::vector<Field> fields;
    for (const Field& field : map.fields()) {
        const DiskType type =
            field.diskType == DiskType::Float64 ? DiskType::Float64 : DiskType::Float32;
        fields.push_back({field.name, field.unit, type, {}});
    }
    Conversion conversion(context, map, options, planning);
    for (size_t i = 0; i < groups.size(); ++i) {
        const auto all = static_cast<double>(groups.size());
        JobContext part =
            working.part(static_cast<double>(i) / all, static_cast<double>(i + 1) / all);
        conversion.convert(map, groups[i], fields, part);
    }
    noteBadPixels(context, name, conversion.badPixels(), pixelCount(map.nside()));
    const ShtParameters& used = conversion.analysisParameters();
    noteWeights(context, used.weights, map.nside());
    context.note("lmax " + std::to_string(used.lmax) + ", " +
                 describeStrategy(used.weights, used.iterations));
    context.figures.set("lmax", used.lmax);
    context.figures.set("iterations", used.iterations);
    context.figures.set("weights", weightsName(used.weights));
    HealpixMap result(options.nside, Ordering::Ring, options.frame, std::move(fields));
    result.metadata() = map.metadata();
    return result;
}

}  // namespace armilla
