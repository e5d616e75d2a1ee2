// SPDX-License-Identifier: GPL-3.0-or-later
#include "kept_spectrum_parts.h"

#include <utility>

namespace armilla {

namespace {

// The pixels of a map or an image.
std::shared_ptr<const void> mapOf(const Input& input) {
    if (const auto* map = std::get_if<std::shared_ptr<const HealpixMap>>(&input.data)) return *map;
    const auto* image = std::get_if<std::shared_ptr<const Image>>(&input.data);
    return image == nullptr ? nullptr : *image;
}

bool isSame(const CouplingRequest& a, const CouplingRequest& b) {
    return a.scalar == b.scalar && a.polarization == b.polarization && a.standard == b.standard &&
           a.purified == b.purified && a.minus == b.minus;
}

}  // namespace

bool KeptSpectrumParts::Key::operator==(const Key& other) const {
    return map == other.map && mask == other.mask && mapFields == other.mapFields &&
           maskFields == other.maskFields && plane == other.plane && device == other.device &&
           haveSameResult(parameters, other.parameters) && remove == other.remove &&
           purify == other.purify && polarization == other.polarization;
}

KeptPlans* keptPlans(KeptSpectrumParts* kept, const Device& device) {
    return kept != nullptr && device.kind != DeviceKind::Cpu ? &kept->plans : nullptr;
}

std::shared_ptr<const MaskedFields> keptFields(Context& context, Input& input, const Input* mask,
                                               const AnafastOptions& options, const JobContext& job,
                                               KeptSpectrumParts& kept) {
    const KeptSpectrumParts::Key key{mapOf(input),
                                     mask == nullptr ? nullptr : mapOf(*mask),
                                     input.fields,
                                     mask == nullptr ? std::vector<int>{} : mask->fields,
                                     input.field,
                                     context.device.label(),
                                     parametersOf(options, isImage(input) ? 0 : nsideOf(input)),
                                     options.remove,
                                     options.purify,
                                     options.polarization};
    if (!kept.fields || !kept.key || !(*kept.key == key)) {
        std::vector<std::string> notes;
        Context noting = context;
        noting.note = [&notes](const std::string& line) { notes.push_back(line); };
        auto before = std::exchange(kept.fields, nullptr);
        if (kept.key && kept.key->device != key.device) before.reset();
        KeptPlans* const plans = keptPlans(&kept, context.device);
        PixelArrays* const arrays = plans != nullptr ? &kept.arrays : nullptr;
        if (arrays == nullptr) kept.arrays.clear();
        auto made = std::make_shared<MaskedFields>(analyzeMasked(noting, input, mask, options, job,
                                                                 analysisFor(options, false),
                                                                 {before.get(), plans, arrays}));
        ++kept.counts.analyses;
        if (!made->hasMaskOfBefore) {
            kept.ofMask = {};
            if (!made->isWhole) ++kept.counts.maskAnalyses;
        }
        kept.pseudo.reset();
        if (arrays != nullptr && before.use_count() == 1) arrays->put(std::move(before->weights));
        kept.key = key;
        kept.fields = std::move(made);
        kept.notes = std::move(notes);
    }
    for (const std::string& line : kept.notes) context.note(line);
    return kept.fields;
}

const CouplingMatrices& KeptCouplings::of(const std::vector<double>& maskSpectrum, int lmax,
                                          const CouplingRequest& request, const Device& device,
                                          JobContext& job) {
    if (matrices_.lmax != lmax || !isSame(request_, request) || maskSpectrum_ != maskSpectrum ||
        device_ != device.label()) {
        matrices_ = {};
        matrices_ = couplingMatrices(maskSpectrum, lmax, request, device, job);
        device_ = device.label();
        request_ = request;
        maskSpectrum_ = maskSpectrum;
        ++computed_;
    }
    return matrices_;
}

}  // namespace armilla
