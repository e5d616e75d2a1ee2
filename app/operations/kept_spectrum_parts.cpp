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

bool isSame(const ShtParameters& a, const ShtParameters& b) {
    return a.nside == b.nside && a.lmax == b.lmax && a.mmax == b.mmax &&
           a.iterations == b.iterations && a.tolerance == b.tolerance && a.weights == b.weights;
}

bool isSame(const CouplingRequest& a, const CouplingRequest& b) {
    return a.scalar == b.scalar && a.polarization == b.polarization && a.standard == b.standard &&
           a.purified == b.purified;
}

}  // namespace

bool KeptSpectrumParts::Key::operator==(const Key& other) const {
    return map == other.map && mask == other.mask && mapFields == other.mapFields &&
           maskFields == other.maskFields && plane == other.plane && device == other.device &&
           isSame(parameters, other.parameters) && remove == other.remove &&
           purify == other.purify && polarization == other.polarization;
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
        auto made = std::make_shared<const MaskedFields>(
            analyzeMasked(noting, input, mask, options, job, before.get()));
        ++kept.counts.analyses;
        if (!before || !haveSameMask(*before, *made)) {
            kept.squaredMask.clear();
            if (!made->isWhole) ++kept.counts.maskAnalyses;
        }
        kept.key = key;
        kept.fields = std::move(made);
        kept.notes = std::move(notes);
    }
    for (const std::string& line : kept.notes) context.note(line);
    return kept.fields;
}

const CouplingMatrices& keptMatrices(std::vector<double> maskSpectrum, int lmax,
                                     const CouplingRequest& request, const Device& device,
                                     KeptSpectrumParts& kept, JobContext& job) {
    if (kept.matrices.lmax != lmax || !isSame(kept.request, request) ||
        kept.maskSpectrum != maskSpectrum || kept.matricesDevice != device.label()) {
        kept.matrices = {};
        kept.matrices = couplingMatrices(maskSpectrum, lmax, request, device, job);
        kept.matricesDevice = device.label();
        kept.request = request;
        kept.maskSpectrum = std::move(maskSpectrum);
        ++kept.counts.couplings;
    }
    return kept.matrices;
}

}  // namespace armilla
