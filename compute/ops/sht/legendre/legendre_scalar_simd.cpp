// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of spin 0, written once and compiled for SSE4, AVX2 and AVX-512; the best one of
// the machine is chosen at run time. The recurrences of a block of vectors are kept in registers,
// so the loops are bound by arithmetic: a step takes two multiply-adds a vector, and four for each
// series.
#include "sht/legendre/legendre_kernels.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sht/legendre/legendre_scalar_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sht/legendre/legendre_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

// Vectors in a block. Synthesis also keeps its sums in registers (32 with AVX-512, else 16).
// Analysis reads its Fourier coefficients from memory, which costs less than to store the sums of a
// step more often.
#if HWY_TARGET == HWY_AVX3
constexpr int kSynthesisBlock = 4;
#else
constexpr int kSynthesisBlock = 2;
#endif
constexpr int kAnalysisBlock = 4;
constexpr size_t kLanes = hn::MaxLanes(Tag());

template <int kBlock>
struct ScalarBlock {
    int form;
    Vector y[kBlock];
    Pair p[kBlock];
};
template <int kBlock>
HWY_INLINE void advance(ScalarBlock<kBlock>& b, const ScalarStep& step) {
    const Tag tag;
    const Vector a = hn::Set(tag, step.a), c = hn::Set(tag, step.b[b.form]);
    for (int v = 0; v < kBlock; ++v) {
        const Vector next = hn::MulSub(hn::MulAdd(a, b.y[v], c), b.p[v].now, b.p[v].before);
        b.p[v].before = b.p[v].now;
        b.p[v].now = next;
    }
}
template <int kBlock>
HWY_INLINE bool allInRange(const ScalarBlock<kBlock>& b) {
    bool all = true;
    for (int v = 0; v < kBlock; ++v) all = all && allInRange(b.p[v]);
    return all;
}

// sin^m of a vector of rings: the stored power of the previous m times the sine. Every kPowerRun
// orders it starts anew, so that the result does not depend on previous calls.
constexpr int kPowerRun = 16;
HWY_INLINE DoubleDouble sinePower(const ScalarKernelArguments& arguments, int ring) {
    const Tag tag;
    const double* const high = arguments.rings->sinHigh.data() + ring;
    const double* const low = arguments.rings->sinLow.data() + ring;
    double* const kept = arguments.powers + kPowerState * ring;
    int& order = arguments.powerOf[ring / static_cast<int>(kLanes)];
    const int start = arguments.m - arguments.m % kPowerRun;
    DoubleDouble result;
    if (order >= start && order <= arguments.m) {
        result = {hn::Load(tag, kept), hn::Load(tag, kept + kLanes),
                  hn::Load(tag, kept + 2 * kLanes)};
    } else {
        result = power(high, low, start);
        order = start;
    }
    for (; order < arguments.m; ++order)
        result = product(result, {hn::Load(tag, high), hn::Load(tag, low), hn::Zero(tag)});
    hn::Store(result.high, tag, kept);
    hn::Store(result.low, tag, kept + kLanes);
    hn::Store(result.scale, tag, kept + 2 * kLanes);
    return result;
}
// The recurrence in registers: steps k .. end - 1, where k is even and end is even or the last
// step. Updates `before` and `now`, and calls `add(step, values)` for each step.
template <int kBlock, typename Add>
HWY_INLINE void runSteps(const ScalarStep* steps, int k, int end, int form, const Vector* y,
                         Vector* before, Vector* now, const Add& add) {
    const Tag tag;
    // The recurrence comes first: it is the longest dependency chain, and a processor issues the
    // oldest ready instruction.
    const auto addAndAdvance = [&](int step, const Vector* at, Vector* next) HWY_ATTR {
        const Vector a = hn::Set(tag, steps[step].a), c = hn::Set(tag, steps[step].b[form]);
        for (int v = 0; v < kBlock; ++v)
            next[v] = hn::MulSub(hn::MulAdd(a, y[v], c), at[v], next[v]);
        add(step, at);
    };
    for (; k + 1 < end; k += 2) {
        addAndAdvance(k, now, before);
        addAndAdvance(k + 1, before, now);
    }
    if (k < end) add(k, now);
}

// The same with `addTwo(step, values, next values)` for pairs of steps; a single last step calls
// `add`.
template <int kBlock, typename AddTwo, typename Add>
HWY_INLINE void runPairs(const ScalarStep* steps, int k, int end, int form, const Vector* y,
                         Vector* before, Vector* now, const AddTwo& addTwo, const Add& add) {
    const Tag tag;
    const auto step = [&](int at, Vector x, Vector p, Vector earlier) HWY_ATTR {
        const Vector a = hn::Set(tag, steps[at].a), c = hn::Set(tag, steps[at].b[form]);
        return hn::MulSub(hn::MulAdd(a, x, c), p, earlier);
    };
    for (; k + 1 < end; k += 2) {
        Vector next[kBlock], afterNext[kBlock];
        for (int v = 0; v < kBlock; ++v) next[v] = step(k, y[v], now[v], before[v]);
        for (int v = 0; v < kBlock; ++v) afterNext[v] = step(k + 1, y[v], next[v], now[v]);
        addTwo(k, now, next);
        for (int v = 0; v < kBlock; ++v) {
            before[v] = next[v];
            now[v] = afterNext[v];
        }
    }
    if (k < end) add(k, now);
}

// Starts the recurrence and advances it until some lane is in range; returns that step.
template <int kBlock>
HWY_INLINE int startBlock(const ScalarKernelArguments& arguments, int ring,
                          ScalarBlock<kBlock>& b) {
    const Tag tag;
    b.form = arguments.rings->form[static_cast<size_t>(ring / kRingGroup)];
    for (int v = 0; v < kBlock; ++v) {
        const int at = ring + v * static_cast<int>(kLanes);
        b.y[v] = hn::Load(tag, arguments.rings->scalarArgument.data() + at);
        b.p[v] = startPair(sinePower(arguments, at), arguments.start);
    }
    int k = 0;
    for (; k + kStepsBetweenChecks <= arguments.steps; k += kStepsBetweenChecks) {
        bool any = false;
        for (int v = 0; v < kBlock; ++v) any = any || anyInRange(b.p[v]);
        if (any) break;
        Vector before[kBlock], now[kBlock];
        for (int v = 0; v < kBlock; ++v) {
            before[v] = b.p[v].before;
            now[v] = b.p[v].now;
        }
        runSteps<kBlock>(arguments.recurrence, k, k + kStepsBetweenChecks, b.form, b.y, before, now,
                         [](int, const Vector*) HWY_ATTR {});
        for (int v = 0; v < kBlock; ++v) {
            b.p[v].before = before[v];
            b.p[v].now = now[v];
            shrinkGrown(b.p[v]);
        }
    }
    return k;
}

// Advances a block from step k until all lanes are in range, at an even step, or to the end. Calls
// `add(step, values)` for each step on the way, with 0 for lanes out of range.
template <int kBlock, typename Add>
HWY_INLINE int bringIntoRange(const ScalarKernelArguments& arguments, int k, ScalarBlock<kBlock>& b,
                              const Add& add) {
    bool pure = allInRange(b);
    for (; (!pure || (k & 1) != 0) && k < arguments.steps; ++k) {
        Vector q[kBlock];
        for (int v = 0; v < kBlock; ++v) q[v] = inRange(b.p[v]);
        add(k, q);
        advance(b, arguments.recurrence[k]);
        if (k % kStepsBetweenChecks == 0) {
            for (int v = 0; v < kBlock; ++v) shrinkGrown(b.p[v]);
            pure = allInRange(b);
        }
    }
    return k;
}
// Sums of one series by parity in z.
struct ScalarPlanes {
    Vector evenRe[kSynthesisBlock], evenIm[kSynthesisBlock];
    Vector oddRe[kSynthesisBlock], oddIm[kSynthesisBlock];
};
HWY_INLINE void addTerms(const ScalarTerms& terms, const Vector* q, ScalarPlanes& sum) {
    const Tag tag;
    Vector c = hn::Set(tag, terms.evenRe);
    for (int v = 0; v < kSynthesisBlock; ++v) sum.evenRe[v] = hn::MulAdd(c, q[v], sum.evenRe[v]);
    c = hn::Set(tag, terms.evenIm);
    for (int v = 0; v < kSynthesisBlock; ++v) sum.evenIm[v] = hn::MulAdd(c, q[v], sum.evenIm[v]);
    c = hn::Set(tag, terms.oddRe);
    for (int v = 0; v < kSynthesisBlock; ++v) sum.oddRe[v] = hn::MulAdd(c, q[v], sum.oddRe[v]);
    c = hn::Set(tag, terms.oddIm);
    for (int v = 0; v < kSynthesisBlock; ++v) sum.oddIm[v] = hn::MulAdd(c, q[v], sum.oddIm[v]);
}
template <int kBlock>
struct ScalarRegisters {
    Vector before[kBlock], now[kBlock], y[kBlock];
};
template <int kBlock>
HWY_INLINE ScalarRegisters<kBlock> inRegisters(const ScalarBlock<kBlock>& b) {
    ScalarRegisters<kBlock> r;
    for (int v = 0; v < kBlock; ++v) {
        r.before[v] = b.p[v].before;
        r.now[v] = b.p[v].now;
        r.y[v] = b.y[v];
    }
    return r;
}
// Steps k .. end - 1 of the first series, as in runSteps; then of the other series, with the stored
// values of the recurrence. `add(series)` returns the function that adds a step to that series.
template <int kSeries, typename Add>
HWY_INLINE void runStretch(const ScalarKernelArguments& arguments, int k, int end, int form,
                           ScalarRegisters<kSynthesisBlock>& r, const Add& add) {
    const Tag tag;
    constexpr int kBlock = kSynthesisBlock;
    if constexpr (kSeries == 1) {
        runSteps<kBlock>(arguments.recurrence, k, end, form, r.y, r.before, r.now, add(0));
    } else {
        alignas(kVectorAlignment) double kept[kStretch * kBlock * kLanes];
        const auto place = [&](int step) { return kept + (step - k) * kBlock * kLanes; };
        const auto addFirst = add(0);
        runSteps<kBlock>(arguments.recurrence, k, end, form, r.y, r.before, r.now,
                         [&](int step, const Vector* q) HWY_ATTR {
                             addFirst(step, q);
                             for (size_t v = 0; v < kBlock; ++v)
                                 hn::Store(q[v], tag, place(step) + v * kLanes);
                         });
        for (int series = 1; series < kSeries; ++series) {
            const auto addNext = add(series);
            for (int step = k; step < end; ++step) {
                Vector q[kBlock];
                for (size_t v = 0; v < kBlock; ++v) q[v] = hn::Load(tag, place(step) + v * kLanes);
                addNext(step, q);
            }
        }
    }
}
// sin(theta)^-sinPower of the rings at `ring`.
HWY_INLINE Vector inverseSine(const ScalarKernelArguments& arguments, int ring) {
    const Tag tag;
    const Vector one = hn::Set(tag, 1.0);
    const Vector sine = hn::Load(tag, arguments.rings->sinHigh.data() + ring);
    Vector power = one;
    for (int i = 0; i < arguments.sinPower; ++i) power = hn::Mul(power, sine);
    return hn::Div(one, power);
}

template <int kSeries>
HWY_NOINLINE void scalarSynthesisOf(const ScalarKernelArguments& arguments,
                                    const ScalarTerms* terms, double* planes) {
    const Tag tag;
    constexpr int kBlock = kSynthesisBlock;
    constexpr int lanes = static_cast<int>(kLanes);
    for (int ring = 0; ring < arguments.count; ring += kBlock * lanes) {
        ScalarBlock<kBlock> b;
        int k = startBlock(arguments, arguments.first + ring, b);
        ScalarPlanes sums[kSeries];
        for (ScalarPlanes& sum : sums)
            for (int v = 0; v < kBlock; ++v)
                sum.evenRe[v] = sum.evenIm[v] = sum.oddRe[v] = sum.oddIm[v] = hn::Zero(tag);
        const auto termsOf = [&](int series) { return terms + series * arguments.steps; };
        k = bringIntoRange(arguments, k, b, [&](int step, const Vector* q) HWY_ATTR {
            for (int series = 0; series < kSeries; ++series)
                addTerms(termsOf(series)[step], q, sums[series]);
        });
        ScalarRegisters<kBlock> r = inRegisters(b);
        for (int end = k; k < arguments.steps; k = end) {
            end = kSeries == 1 ? arguments.steps : std::min(k + kStretch, arguments.steps);
            runStretch<kSeries>(arguments, k, end, b.form, r, [&](int series) HWY_ATTR {
                return [of = termsOf(series), &sum = sums[series]](int step, const Vector* q)
                           HWY_ATTR { addTerms(of[step], q, sum); };
            });
        }
        for (int v = 0; v < kBlock; ++v) {
            const int at = arguments.first + ring + v * lanes;
            const Vector f = inverseSine(arguments, at);
            const Vector zf = hn::Mul(f, hn::Load(tag, arguments.rings->z.data() + at));
            double* out = planes + ring + v * lanes;
            for (const ScalarPlanes& sum : sums) {
                const Vector er = hn::Mul(sum.evenRe[v], f), ei = hn::Mul(sum.evenIm[v], f);
                const Vector xr = hn::Mul(sum.oddRe[v], zf), xi = hn::Mul(sum.oddIm[v], zf);
                hn::Store(hn::Add(er, xr), tag, out);
                hn::Store(hn::Add(ei, xi), tag, out + arguments.stride);
                hn::Store(hn::Sub(er, xr), tag, out + 2 * arguments.stride);
                hn::Store(hn::Sub(ei, xi), tag, out + 3 * arguments.stride);
                out += kPlanes * arguments.stride;
            }
        }
    }
}
HWY_NOINLINE void scalarSynthesisImpl(const ScalarKernelArguments& arguments,
                                      const ScalarTerms* terms, double* planes) {
    if (arguments.series == 1)
        scalarSynthesisOf<1>(arguments, terms, planes);
    else
        scalarSynthesisOf<2>(arguments, terms, planes);
}

// Even and odd Fourier coefficients of a vector of rings: four vectors at `to`.
HWY_INLINE void foldPlanes(const ScalarKernelArguments& arguments, int ring, const double* planes,
                           double* to) {
    const Tag tag;
    const int at = arguments.first + ring;
    const Vector f = inverseSine(arguments, at);
    const Vector zf = hn::Mul(f, hn::Load(tag, arguments.rings->z.data() + at));
    const double* const from = planes + ring;
    const Vector nr = hn::Load(tag, from), ni = hn::Load(tag, from + arguments.stride);
    const Vector sr = hn::Load(tag, from + 2 * arguments.stride);
    const Vector si = hn::Load(tag, from + 3 * arguments.stride);
    hn::Store(hn::Mul(f, hn::Add(nr, sr)), tag, to);
    hn::Store(hn::Mul(f, hn::Add(ni, si)), tag, to + kLanes);
    hn::Store(hn::Mul(zf, hn::Sub(nr, sr)), tag, to + 2 * kLanes);
    hn::Store(hn::Mul(zf, hn::Sub(ni, si)), tag, to + 3 * kLanes);
}
// Adds values times the Fourier coefficients of a block to the four sums of a step.
HWY_INLINE void addSums(const Vector* q, const double* in, double* sums) {
    const Tag tag;
    for (size_t c = 0; c < 4; ++c) {
        Vector s = hn::Load(tag, sums + c * kLanes);
        for (size_t v = 0; v < kAnalysisBlock; ++v)
            s = hn::MulAdd(q[v], hn::Load(tag, in + (4 * v + c) * kLanes), s);
        hn::Store(s, tag, sums + c * kLanes);
    }
}

// Prevents the compiler from loading `v` again for each use, as part of the multiply-add.
HWY_INLINE Vector loadedOnce(Vector v) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    asm("" : "+v"(v.raw));
#endif
    return v;
}
// The same for two successive steps: each Fourier coefficient is read once for both. With single
// steps there are more loads than the processor can execute along with the multiply-adds.
HWY_INLINE void addSumsOfTwo(const Vector* q, const Vector* next, const double* in, double* sums) {
    const Tag tag;
    for (size_t c = 0; c < 4; ++c) {
        double *const first = sums + c * kLanes, *const second = first + 4 * kLanes;
        Vector s = hn::Load(tag, first), t = hn::Load(tag, second);
        for (size_t v = 0; v < kAnalysisBlock; ++v) {
            const Vector f = loadedOnce(hn::Load(tag, in + (4 * v + c) * kLanes));
            s = hn::MulAdd(q[v], f, s);
            t = hn::MulAdd(next[v], f, t);
        }
        hn::Store(s, tag, first);
        hn::Store(t, tag, second);
    }
}

// The sums of all steps do not fit into the inner cache. So each block is first brought into range
// separately, and then all blocks run together through one stretch of steps after another. A block
// keeps in memory its recurrence, then the Fourier coefficients of each series: scalarState doubles
// a ring.
template <int kSeries>
HWY_NOINLINE void scalarAccumulateOf(const ScalarKernelArguments& arguments, const double* planes,
                                     double* sums, double* states, int* begins) {
    constexpr int kBlock = kAnalysisBlock;
    constexpr ptrdiff_t kVectors = kBlock * static_cast<ptrdiff_t>(kLanes);  // doubles of a block
    constexpr ptrdiff_t kState = scalarState(kSeries) * kVectors, kStepSums = 4 * kLanes;
    const int blocks = arguments.count / static_cast<int>(kVectors);
    const auto addAll = [&](const double* in, int step, const Vector* q) HWY_ATTR {
        double* const to = sums + step * kStepSums;
        for (int series = 0; series < kSeries; ++series)
            addSums(q, in + series * 4 * kVectors, to + series * arguments.steps * kStepSums);
    };
    const auto addTwo = [&](const double* in, int step, const Vector* q, const Vector* next)
                            HWY_ATTR {
                                double* const to = sums + step * kStepSums;
                                for (int series = 0; series < kSeries; ++series)
                                    addSumsOfTwo(q, next, in + series * 4 * kVectors,
                                                 to + series * arguments.steps * kStepSums);
                            };
    for (int block = 0; block < blocks; ++block) {
        const int ring = block * static_cast<int>(kVectors);
        double* const state = states + block * kState;
        double* const in = state + 3 * kVectors;
        for (int series = 0; series < kSeries; ++series)
            for (int v = 0; v < kBlock; ++v)
                foldPlanes(arguments, ring + v * static_cast<int>(kLanes),
                           planes + series * kPlanes * arguments.stride,
                           in + (4 * series * kBlock + 4 * v) * static_cast<ptrdiff_t>(kLanes));
        ScalarBlock<kBlock> b;
        const int k = startBlock(arguments, arguments.first + ring, b);
        begins[block] = bringIntoRange(
            arguments, k, b, [&](int step, const Vector* q) HWY_ATTR { addAll(in, step, q); });
        double* to = state;
        const ScalarRegisters<kBlock> r = inRegisters(b);
        for (const auto* part : {&r.before, &r.now, &r.y}) saveVectors(*part, to);
    }
    for (int stretch = 0; stretch < arguments.steps; stretch += kStretch)
        for (int block = 0; block < blocks; ++block) {
            const int end = std::min(stretch + kStretch, arguments.steps);
            if (begins[block] >= end) continue;
            const int ring = arguments.first + block * static_cast<int>(kVectors);
            double* const state = states + block * kState;
            const double* const in = state + 3 * kVectors;
            ScalarRegisters<kBlock> r;
            const double* from = state;
            for (auto* part : {&r.before, &r.now, &r.y}) restoreVectors(from, *part);
            runPairs<kBlock>(
                arguments.recurrence, std::max(begins[block], stretch), end,
                arguments.rings->form[static_cast<size_t>(ring / kRingGroup)], r.y, r.before, r.now,
                [&](int step, const Vector* q, const Vector* next)
                    HWY_ATTR { addTwo(in, step, q, next); },
                [&](int step, const Vector* q) HWY_ATTR { addAll(in, step, q); });
            double* to = state;
            for (const auto* part : {&r.before, &r.now}) saveVectors(*part, to);
        }
}
HWY_NOINLINE void scalarAccumulateImpl(const ScalarKernelArguments& arguments, const double* planes,
                                       double* sums, double* states, int* begins) {
    if (arguments.series == 1)
        scalarAccumulateOf<1>(arguments, planes, sums, states, begins);
    else
        scalarAccumulateOf<2>(arguments, planes, sums, states, begins);
}

// Stores the sums of four vectors contiguously.
#if HWY_TARGET != HWY_SCALAR
HWY_INLINE void storeSums(hn::Vec<hn::Full128<double>> even, hn::Vec<hn::Full128<double>> odd,
                          double* to) {
    const hn::Full128<double> tag;
    hn::StoreU(even, tag, to);
    hn::StoreU(odd, tag, to + 2);
}
// For vectors with blocks of 128 bits that each hold sums of two of the four.
template <class V>
HWY_INLINE void storeSums(V even, V odd, double* to) {
    const hn::Half<hn::DFromV<V>> half;
    storeSums(hn::Add(hn::LowerHalf(half, even), hn::UpperHalf(half, even)),
              hn::Add(hn::LowerHalf(half, odd), hn::UpperHalf(half, odd)), to);
}
#endif
HWY_NOINLINE void takeSumsImpl(double* sums, int steps, double* terms) {
    const Tag tag;
    for (int k = 0; k < steps; ++k, sums += 4 * kLanes, terms += 4) {
        Vector v[4];
        for (size_t c = 0; c < 4; ++c) {
            v[c] = hn::Load(tag, sums + c * kLanes);
            hn::Store(hn::Zero(tag), tag, sums + c * kLanes);
        }
#if HWY_TARGET == HWY_SCALAR
        for (size_t c = 0; c < 4; ++c) terms[c] = hn::GetLane(v[c]);
#else
        const auto pairs = [&](Vector a, Vector b) HWY_ATTR {
            return hn::Add(hn::InterleaveLower(tag, a, b), hn::InterleaveUpper(tag, a, b));
        };
        storeSums(pairs(v[0], v[1]), pairs(v[2], v[3]), terms);
#endif
    }
}

size_t lanesImpl() {
    return hn::Lanes(Tag());
}
const char* nameImpl() {
    return hwy::TargetName(HWY_TARGET);
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(scalarSynthesisImpl);
HWY_EXPORT(scalarAccumulateImpl);
HWY_EXPORT(takeSumsImpl);
HWY_EXPORT(lanesImpl);
HWY_EXPORT(nameImpl);

void scalarSynthesis(const ScalarKernelArguments& arguments, const ScalarTerms* terms,
                     double* planes) {
    HWY_DYNAMIC_DISPATCH(scalarSynthesisImpl)(arguments, terms, planes);
}
void scalarAccumulate(const ScalarKernelArguments& arguments, const double* planes, double* sums,
                      double* states, int* begins) {
    HWY_DYNAMIC_DISPATCH(scalarAccumulateImpl)(arguments, planes, sums, states, begins);
}
void takeSums(double* sums, int steps, ScalarTerms* terms) {
    static_assert(sizeof(ScalarTerms) == 4 * sizeof(double));
    HWY_DYNAMIC_DISPATCH(takeSumsImpl)(sums, steps, &terms->evenRe);
}
size_t simdLanes() {
    return HWY_DYNAMIC_DISPATCH(lanesImpl)();
}
const char* simdName() {
    return HWY_DYNAMIC_DISPATCH(nameImpl)();
}

}  // namespace armilla
#endif
