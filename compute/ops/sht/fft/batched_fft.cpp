// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/batched_fft.h"

#include <algorithm>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "shared/workspace_pool.h"
#include "sht/fft/batched_fft_checks.h"
#include "sht/fft/fftw_plan.h"
#include "sht/fft/row_fft.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

constexpr int64_t kLongest = int64_t{1} << 28;
// The smallest number of numbers in one call: short rows are transformed together.
constexpr int64_t kNumbersTogether = 4096;

void checkSize(const char* what, size_t found, int64_t expected) {
    if (found != static_cast<size_t>(expected))
        throw InvalidArgument("expected " + std::to_string(expected) + " " + what + ", found " +
                              std::to_string(found));
}
int64_t modesOf(const EqualRows& rows) {
    return rows.length / 2 + 1;
}
void checkReal(const EqualRows& rows, size_t samples, size_t modes) {
    if (rows.stride != 1)
        throw InvalidArgument("expected real rows of stride 1, found stride " +
                              std::to_string(rows.stride));
    checkSize("samples", samples, rows.extent());
    checkSize("modes", modes, modesOf(rows) * rows.count);
}

}  // namespace

void checkEqualRows(const EqualRows& rows) {
    if (rows.length < 1 || rows.count < 1 || rows.stride < 1 || rows.apart() < 1 ||
        rows.length > kLongest)
        throw InvalidArgument(
            "expected at least one row, of 1 to 2^28 numbers, and distances of at least 1, found " +
            std::to_string(rows.count) + " rows of " + std::to_string(rows.length));
}

// Measured by `armilla bench fft`: rows of four columns are faster than FFTW. For any other length
// our own method is a convolution with a chirp, while FFTW transforms small primes directly.
FftLibrary BatchedFft::fastest(int64_t length) {
    constexpr int64_t kShortRow = 24;
    if (length <= kShortRow) return FftLibrary::Fftw;
    if (length % 4 == 0) return FftLibrary::Own;
    int64_t rest = length;
    for (const int64_t prime : {2, 3, 5, 7, 11, 13})
        while (rest % prime == 0) rest /= prime;
    return rest == 1 ? FftLibrary::Fftw : FftLibrary::Own;
}

struct BatchedFft::Plan {
    // FFTW plans of `together` rows, and of the last rows, which may be fewer.
    struct Kinds {
        FftwPlan forward, backward, realForward, realBackward;
    };
    Plan(const EqualRows& r, FftLibrary l, JobContext& job) : rows(r), provider(l) {
        together = std::clamp<int64_t>(kNumbersTogether / rows.length, 1, rows.count);
        // Adjacent columns of a plane are in the same cache lines.
        if (rows.stride > 1)
            together = std::max<int64_t>(together, std::min<int64_t>(8, rows.count));
        const int64_t rest = rows.count % together;
        if (provider == FftLibrary::Fftw) {
            many = planned(together);
            if (rest > 0) last = planned(rest);
        } else {
            const auto length = static_cast<size_t>(rows.length);
            own = std::make_unique<RowFft>(std::span(&length, 1), job);
        }
    }
    Kinds planned(int64_t count) const {
        EqualRows some = rows;
        some.distance = rows.apart();
        some.count = count;
        Kinds kinds{FftwPlan::complexRows(some, FftwPlan::Kind::Forward, true),
                    FftwPlan::complexRows(some, FftwPlan::Kind::Backward, true),
                    {},
                    {}};
        if (rows.stride == 1) {
            kinds.realForward = FftwPlan::realRows(some, FftwPlan::Kind::Forward);
            kinds.realBackward = FftwPlan::realRows(some, FftwPlan::Kind::Backward);
        }
        return kinds;
    }
    // Calls use(first row, number of rows) in the threads of `job`.
    template <typename Use>
    void inGroups(JobContext& job, int64_t group, const Use& use) const {
        const int64_t groups = (rows.count + group - 1) / group;
        // Some hundred thousand numbers a call: well under a millisecond.
        const int64_t grain =
            std::max<int64_t>(1, (int64_t{1} << 17) / std::max<int64_t>(1, group * rows.length));
        parallelFor(job, groups, grain, [&](long long begin, long long end) {
            for (int64_t i = begin; i < end; ++i)
                use(i * group, std::min(group, rows.count - i * group));
        });
    }
    const Kinds& kindsFor(int64_t count) const { return count == together ? many : last; }

    // One workspace for each thread that transforms at the same time.
    template <typename Body>
    void withWorkspace(const Body& body) const {
        const auto work = workspaces.take(*own);
        body(*work);
        workspaces.giveBack(work);
    }
    void ownRow(Complex* row, bool isForward) const {
        withWorkspace([&](RowFft::Workspace& work) {
            const auto turned = [&](Complex z) {
                return isForward ? z : Complex(z.imag(), z.real());
            };
            for (int64_t j = 0; j < rows.length; ++j)
                work.input()[j] = turned(row[j * rows.stride]);
            const Complex* const out = own->forward(static_cast<size_t>(rows.length), work);
            for (int64_t j = 0; j < rows.length; ++j) row[j * rows.stride] = turned(out[j]);
        });
    }
    void ownReal(const double* a, const double* b, Complex* spectrumA, Complex* spectrumB) const {
        const int64_t n = rows.length;
        withWorkspace([&](RowFft::Workspace& work) {
            for (int64_t j = 0; j < n; ++j) work.input()[j] = {a[j], b == nullptr ? 0.0 : b[j]};
            const Complex* const y = own->forward(static_cast<size_t>(n), work);
            // Y_k = A_k + i B_k: A_k = (Y_k + conj Y_-k) / 2, B_k = (Y_k - conj Y_-k) / (2 i).
            for (int64_t k = 0; k <= n / 2; ++k) {
                const Complex here = y[k], mirror = y[k == 0 ? 0 : n - k];
                spectrumA[k] = {0.5 * (here.real() + mirror.real()),
                                0.5 * (here.imag() - mirror.imag())};
                if (b != nullptr)
                    spectrumB[k] = {0.5 * (here.imag() + mirror.imag()),
                                    0.5 * (mirror.real() - here.real())};
            }
        });
    }
    void ownRealBack(const Complex* spectrumA, const Complex* spectrumB, double* a,
                     double* b) const {
        const int64_t n = rows.length;
        withWorkspace([&](RowFft::Workspace& work) {
            for (int64_t k = 0; k <= n / 2; ++k) {
                // A mode that is its own mirror is real in a real row's spectrum.
                const bool alone = k == 0 || 2 * k == n;
                const Complex x = alone ? Complex(spectrumA[k].real()) : spectrumA[k];
                Complex y = b == nullptr ? Complex(0.0) : spectrumB[k];
                if (alone) y = y.real();
                // A + i B with real and imaginary parts exchanged; the same at -k.
                work.input()[k] = {x.imag() + y.real(), x.real() - y.imag()};
                if (!alone) work.input()[n - k] = {y.real() - x.imag(), x.real() + y.imag()};
            }
            const Complex* const out = own->forward(static_cast<size_t>(n), work);
            for (int64_t j = 0; j < n; ++j) a[j] = out[j].imag();
            if (b != nullptr)
                for (int64_t j = 0; j < n; ++j) b[j] = out[j].real();
        });
    }

    void complexRows(std::span<Complex> data, bool isForward, JobContext& job) const {
        checkSize("numbers", data.size(), rows.extent());
        const int64_t apart = rows.apart();
        if (provider == FftLibrary::Fftw)
            inGroups(job, together, [&](int64_t first, int64_t count) {
                const Kinds& kinds = kindsFor(count);
                Complex* const at = data.data() + first * apart;
                (isForward ? kinds.forward : kinds.backward).execute(at, at);
            });
        else
            inGroups(job, 1, [&](int64_t first, int64_t) {
                ownRow(data.data() + first * apart, isForward);
            });
    }
    // Transforms real rows forward, from constant samples, or backward, from spectra.
    template <typename Samples>
    void realRows(std::span<Samples> samples, std::span<Complex> spectra, JobContext& job) const {
        constexpr bool isForward = std::is_const_v<Samples>;
        checkReal(rows, samples.size(), spectra.size());
        const int64_t apart = rows.apart(), modes = modesOf(rows);
        if (provider == FftLibrary::Fftw)
            inGroups(job, together, [&](int64_t first, int64_t count) {
                const Kinds& kinds = kindsFor(count);
                Samples* const at = samples.data() + first * apart;
                Complex* const modesAt = spectra.data() + first * modes;
                if constexpr (isForward)
                    kinds.realForward.execute(at, modesAt);
                else
                    kinds.realBackward.execute(modesAt, at);
            });
        else
            inGroups(job, 2, [&](int64_t first, int64_t count) {
                Samples* const a = samples.data() + first * apart;
                Samples* const b = count > 1 ? a + apart : nullptr;
                Complex* const modesAt = spectra.data() + first * modes;
                if constexpr (isForward)
                    ownReal(a, b, modesAt, modesAt + modes);
                else
                    ownRealBack(modesAt, modesAt + modes, a, b);
            });
    }

    EqualRows rows;
    FftLibrary provider;
    int64_t together = 1;
    Kinds many, last;             // plans of FFTW
    std::unique_ptr<RowFft> own;  // our own plan
    mutable WorkspacePool<RowFft::Workspace> workspaces;
};

BatchedFft::BatchedFft(const EqualRows& rows, JobContext& job, std::optional<FftLibrary> library) {
    checkEqualRows(rows);
    if (library == FftLibrary::Cufft)
        throw InvalidArgument("expected an FFT library of the CPU, found cuFFT");
    plan_ = std::make_unique<Plan>(rows, library.value_or(fastest(rows.length)), job);
}
BatchedFft::~BatchedFft() = default;
BatchedFft::BatchedFft(BatchedFft&&) noexcept = default;
BatchedFft& BatchedFft::operator=(BatchedFft&&) noexcept = default;

const EqualRows& BatchedFft::rows() const {
    return plan_->rows;
}
FftLibrary BatchedFft::provider() const {
    return plan_->provider;
}

void BatchedFft::forward(std::span<Complex> data, JobContext& job) const {
    plan_->complexRows(data, true, job);
}

void BatchedFft::backward(std::span<Complex> data, JobContext& job) const {
    plan_->complexRows(data, false, job);
}

void BatchedFft::forward(std::span<const double> samples, std::span<Complex> spectra,
                         JobContext& job) const {
    plan_->realRows(samples, spectra, job);
}

void BatchedFft::backward(std::span<Complex> spectra, std::span<double> samples,
                          JobContext& job) const {
    plan_->realRows(samples, spectra, job);
}

}  // namespace armilla
