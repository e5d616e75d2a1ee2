// SPDX-License-Identifier: GPL-3.0-or-later
// Coefficients of weight times map, as masked spectra take them.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "anafast_options.h"
#include "armilla/core/new_vector.h"
#include "armilla/ops/band_powers.h"
#include "armilla/ops/sht.h"
#include "ring_image.h"

namespace armilla {

// The part that a caller needs: coefficients of map and weights, those of the map, or spectra.
enum class AnalysisFor { Coefficients, CoefficientsOfMap, Spectra };
// Cross spectra need the coefficients of both maps, and purification changes them.
AnalysisFor analysisFor(const AnafastOptions& options, bool isCross);

struct MaskedFields {
    AlmSet set;  // T, or T, E, B
    ShtParameters parameters;
    TakenOut taken;
    // In RING order, or of an image row after row of whole rings from the north; 0 at bad pixels.
    UnsetVector<double> weights;
    Alm mask;                        // coefficients of the weights, to maskLmax()
    std::optional<Alm> squaredMask;  // the same of the squared weights, or none
    // Spectra in place of coefficients that did not leave a device; empty otherwise.
    struct OfDevice {
        std::optional<NineSpectra> map;         // the spectra of `set`
        std::vector<double> mask, squaredMask;  // the spectra of these members
    };
    OfDevice ofDevice;
    AnalysisFor use = AnalysisFor::Coefficients;  // Spectra: on a device alone
    std::optional<RingImage> image;               // the grid of an image
    bool isWhole = false;                         // all weights are 1
    bool hasMaskOfBefore = false;  // weights and coefficients are those of KeptAnalysis
    bool isHard = false;           // all weights are 0 or 1
    bool isPurified = false;
};
// Whether the fields are T, E and B.
bool isPolarized(const MaskedFields& fields);
// The largest multipole of a mask: 3 nside - 1, or that of the image's grid; 2 lmax at most where
// each multipole is transformed alone.
int maskLmax(const MaskedFields& fields);
// Whether two fields have the same pixels.
bool haveSamePixels(const MaskedFields& a, const MaskedFields& b);
// Throws InvalidArgument for a step between neighboring pixels of a mask, of this name, that is too
// large for purification.
void requireSmoothMask(double step, const std::string& name);
// Arrays of pixels that later analyses overwrite. The first touch of new memory takes longer than a
// transform on a device.
class PixelArrays {
public:
    using Values = std::variant<UnsetVector<float>, UnsetVector<double>>;
    // An array with any content.
    template <class T>
    UnsetVector<T> take(int64_t count, JobContext& job) {
        for (auto each = free_.begin(); each != free_.end(); ++each) {
            auto* const values = std::get_if<UnsetVector<T>>(&*each);
            if (values == nullptr || static_cast<int64_t>(values->size()) != count) continue;
            UnsetVector<T> taken = std::move(*values);
            free_.erase(each);
            return taken;
        }
        return newUnsetVector<T>(count, job);
    }
    void put(Values values);
    void clear() { free_.clear(); }

private:
    std::vector<Values> free_;
};
// Plans of a map and of its mask that later analyses use again: their tables, and their memory on
// a device.
class KeptPlans {
public:
    enum class Of { Map, Mask };
    // Valid until the next call for the same kind.
    const ShtPlan& plan(Of what, const ShtParameters& parameters, const Device& device,
                        JobContext& job);

private:
    struct Kept {
        ShtParameters parameters;
        std::string device;
        ShtPlan plan;
    };
    std::array<std::optional<Kept>, 2> kept_;
};
// Whether two requests are one transform.
bool haveSameResult(const ShtParameters& a, const ShtParameters& b);
// Coefficients to maskLmax() of weights on the pixels of `like`. `plans`: null to keep none.
std::vector<Alm> maskCoefficients(const MaskedFields& like,
                                  const std::vector<ConstMapSamples>& weights, const Device& device,
                                  JobContext& job, KeptPlans* plans = nullptr);
// The spectrum of the coefficients of weights, or of their squares, without coefficients in host
// memory; none where they leave the device.
enum class Power { First, Second };
std::optional<std::vector<double>> maskSpectrumOnDevice(const MaskedFields& like, Power power,
                                                        const ConstMapSamples& weights,
                                                        const Device& device, JobContext& job,
                                                        KeptPlans* plans = nullptr);
// Products of weights, pixel by pixel.
UnsetVector<double> productOf(std::span<const double> a, std::span<const double> b,
                              JobContext& job);
// Whether the coefficients of the weights are equal: the same weights by the same transform.
bool haveSameMask(const MaskedFields& a, const MaskedFields& b, JobContext& job);
// Parts of an earlier analysis, or null. The coefficients of earlier weights serve equal weights.
struct KeptAnalysis {
    const MaskedFields* before = nullptr;
    KeptPlans* plans = nullptr;
    PixelArrays* arrays = nullptr;
};
// `mask`: may be null. Pixels that are bad in any field have weight 0. Notes as those of `analyze`.
MaskedFields analyzeMasked(Context& context, Input& input, const Input* mask,
                           const AnafastOptions& options, const JobContext& job, AnalysisFor use,
                           const KeptAnalysis& kept = {});
// The same of an image on rings.
MaskedFields analyzeMaskedImage(Context& context, const Input& input, const Input* mask,
                                const AnafastOptions& options, const JobContext& job,
                                AnalysisFor use, const MaskedFields* before);
std::vector<Alm> analyzeImageLike(Context& context, const Input& input, const MaskedFields& like,
                                  const AnafastOptions& options, JobContext& job);
// Coefficients of a map of noise times the weights of `like`. A map in another frame is rotated by
// its coefficients, with a note. Throws InvalidArgument for another nside.
std::vector<Alm> analyzeLike(Context& context, Input& input, const MaskedFields& like,
                             const AnafastOptions& options, JobContext& job);

}  // namespace armilla
