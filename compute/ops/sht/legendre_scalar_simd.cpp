// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of spin 0, written once and compiled for SSE4, AVX2 and AVX-512; the best that
// the machine has is chosen at run time. A block of vectors is kept wholly in registers, so the
// loops are bound by arithmetic: a step takes two multiply-adds a vector, and four for each series.
#include "sht/legendre_kernels.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sht/legendre_scalar_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sht/legendre_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

// Vectors in a block: as many as the registers hold (32 with AVX-512, else 16).
#if HWY_TARGET == HWY_AVX3
constexpr int kScalarBlock = 4;
#else
constexpr int kScalarBlock = 2;
#endif

struct ScalarBlock {
    int form;
    Vector y[kScalarBlock];
    Pair p[kScalarBlock];
};
HWY_INLINE void advance(ScalarBlock& b, const ScalarStep& step) {
    const Tag tag;
    const Vector a = hn::Set(tag, step.a), c = hn::Set(tag, step.b[b.form]);
    for (int v = 0; v < kScalarBlock; ++v) {
        const Vector next = hn::MulSub(hn::MulAdd(a, b.y[v], c), b.p[v].now, b.p[v].before);
        b.p[v].before = b.p[v].now;
        b.p[v].now = next;
    }
}
HWY_INLINE bool allInRange(const ScalarBlock& b) {
    bool all = true;
    for (int v = 0; v < kScalarBlock; ++v) all = all && allInRange(b.p[v]);
    return all;
}
// Starts the recurrence and takes it to where some lane is in range; returns that step.
HWY_INLINE int startBlock(const ScalarKernelArguments& arguments, int ring, ScalarBlock& b) {
    const Tag tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    b.form = arguments.rings->form[static_cast<size_t>(ring / kRingGroup)];
    for (int v = 0; v < kScalarBlock; ++v) {
        const int at = ring + v * lanes;
        const DoubleDouble sinPower = power(arguments.rings->sinHigh.data() + at,
                                            arguments.rings->sinLow.data() + at, arguments.m);
        b.y[v] = hn::Load(tag, arguments.rings->scalarArgument.data() + at);
        b.p[v] = startPair(sinPower, arguments.start);
    }
    int k = 0;
    for (; k + kStepsBetweenChecks <= arguments.steps; k += kStepsBetweenChecks) {
        bool any = false;
        for (int v = 0; v < kScalarBlock; ++v) any = any || anyInRange(b.p[v]);
        if (any) break;
        for (int i = 0; i < kStepsBetweenChecks; ++i) advance(b, arguments.recurrence[k + i]);
        for (int v = 0; v < kScalarBlock; ++v) shrinkGrown(b.p[v]);
    }
    return k;
}

// Takes a block from step k to where all lanes are in range, at an even step, or to the end;
// `add(step, values)` is called for each step on the way, with 0 for lanes out of range.
template <typename Add>
HWY_INLINE int bringIntoRange(const ScalarKernelArguments& arguments, int k, ScalarBlock& b,
                              const Add& add) {
    bool pure = allInRange(b);
    for (; (!pure || (k & 1) != 0) && k < arguments.steps; ++k) {
        Vector q[kScalarBlock];
        for (int v = 0; v < kScalarBlock; ++v) q[v] = inRange(b.p[v]);
        add(k, q);
        advance(b, arguments.recurrence[k]);
        if (k % kStepsBetweenChecks == 0) {
            for (int v = 0; v < kScalarBlock; ++v) shrinkGrown(b.p[v]);
            pure = allInRange(b);
        }
    }
    return k;
}
// The recurrence in registers, all lanes in range: steps k .. end - 1, of which k is even and end
// is even or the last. `before` and `now` are updated.
template <typename Add>
HWY_INLINE void runInRange(const ScalarStep* steps, int k, int end, int form, const Vector* y,
                           Vector* before, Vector* now, const Add& add) {
    const Tag tag;
    const auto addAndAdvance = [&](int step, const Vector* at, Vector* next) HWY_ATTR {
        add(step, at);
        const Vector a = hn::Set(tag, steps[step].a), c = hn::Set(tag, steps[step].b[form]);
        for (int v = 0; v < kScalarBlock; ++v)
            next[v] = hn::MulSub(hn::MulAdd(a, y[v], c), at[v], next[v]);
    };
    for (; k + 1 < end; k += 2) {
        addAndAdvance(k, now, before);
        addAndAdvance(k + 1, before, now);
    }
    if (k < end) add(k, now);
}

// Sums of one series, or in analysis the Fourier coefficients, by parity in z.
struct ScalarPlanes {
    Vector evenRe[kScalarBlock], evenIm[kScalarBlock], oddRe[kScalarBlock], oddIm[kScalarBlock];
};
HWY_INLINE void addTerms(const ScalarTerms& terms, const Vector* q, ScalarPlanes& sum) {
    const Tag tag;
    Vector c = hn::Set(tag, terms.evenRe);
    for (int v = 0; v < kScalarBlock; ++v) sum.evenRe[v] = hn::MulAdd(c, q[v], sum.evenRe[v]);
    c = hn::Set(tag, terms.evenIm);
    for (int v = 0; v < kScalarBlock; ++v) sum.evenIm[v] = hn::MulAdd(c, q[v], sum.evenIm[v]);
    c = hn::Set(tag, terms.oddRe);
    for (int v = 0; v < kScalarBlock; ++v) sum.oddRe[v] = hn::MulAdd(c, q[v], sum.oddRe[v]);
    c = hn::Set(tag, terms.oddIm);
    for (int v = 0; v < kScalarBlock; ++v) sum.oddIm[v] = hn::MulAdd(c, q[v], sum.oddIm[v]);
}
HWY_INLINE void addSums(const ScalarPlanes& in, const Vector* q, double* s) {
    const Tag tag;
    const size_t lanes = hn::Lanes(tag);
    Vector s0 = hn::Load(tag, s), s1 = hn::Load(tag, s + lanes);
    Vector s2 = hn::Load(tag, s + 2 * lanes), s3 = hn::Load(tag, s + 3 * lanes);
    for (int v = 0; v < kScalarBlock; ++v) {
        s0 = hn::MulAdd(q[v], in.evenRe[v], s0);
        s1 = hn::MulAdd(q[v], in.evenIm[v], s1);
        s2 = hn::MulAdd(q[v], in.oddRe[v], s2);
        s3 = hn::MulAdd(q[v], in.oddIm[v], s3);
    }
    hn::Store(s0, tag, s);
    hn::Store(s1, tag, s + lanes);
    hn::Store(s2, tag, s + 2 * lanes);
    hn::Store(s3, tag, s + 3 * lanes);
}
struct ScalarRegisters {
    Vector before[kScalarBlock], now[kScalarBlock], y[kScalarBlock];
};
HWY_INLINE ScalarRegisters inRegisters(const ScalarBlock& b) {
    ScalarRegisters r;
    for (int v = 0; v < kScalarBlock; ++v) {
        r.before[v] = b.p[v].before;
        r.now[v] = b.p[v].now;
        r.y[v] = b.y[v];
    }
    return r;
}
// Steps k .. end - 1 of the first series, as runInRange; then of the others, for which the values
// of the recurrence are kept. `add(series)` gives what adds a step to that series.
template <int kSeries, typename Add>
HWY_INLINE void runStretch(const ScalarKernelArguments& arguments, int k, int end, int form,
                           ScalarRegisters& r, const Add& add) {
    const Tag tag;
    constexpr size_t kLanes = hn::MaxLanes(Tag());
    if constexpr (kSeries == 1) {
        runInRange(arguments.recurrence, k, end, form, r.y, r.before, r.now, add(0));
    } else {
        alignas(kVectorAlignment) double kept[kStretch * kScalarBlock * kLanes];
        const auto place = [&](int step) { return kept + (step - k) * kScalarBlock * kLanes; };
        const auto addFirst = add(0);
        runInRange(arguments.recurrence, k, end, form, r.y, r.before, r.now,
                   [&](int step, const Vector* q) HWY_ATTR {
                       addFirst(step, q);
                       for (size_t v = 0; v < kScalarBlock; ++v)
                           hn::Store(q[v], tag, place(step) + v * kLanes);
                   });
        for (int series = 1; series < kSeries; ++series) {
            const auto addNext = add(series);
            for (int step = k; step < end; ++step) {
                Vector q[kScalarBlock];
                for (size_t v = 0; v < kScalarBlock; ++v)
                    q[v] = hn::Load(tag, place(step) + v * kLanes);
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
    const int lanes = static_cast<int>(hn::Lanes(tag));
    for (int ring = 0; ring < arguments.count; ring += kScalarBlock * lanes) {
        ScalarBlock b;
        int k = startBlock(arguments, arguments.first + ring, b);
        ScalarPlanes sums[kSeries];
        for (ScalarPlanes& sum : sums)
            for (int v = 0; v < kScalarBlock; ++v)
                sum.evenRe[v] = sum.evenIm[v] = sum.oddRe[v] = sum.oddIm[v] = hn::Zero(tag);
        const auto termsOf = [&](int series) { return terms + series * arguments.steps; };
        k = bringIntoRange(arguments, k, b, [&](int step, const Vector* q) HWY_ATTR {
            for (int series = 0; series < kSeries; ++series)
                addTerms(termsOf(series)[step], q, sums[series]);
        });
        ScalarRegisters r = inRegisters(b);
        for (int end; k < arguments.steps; k = end) {
            end = kSeries == 1 ? arguments.steps : std::min(k + kStretch, arguments.steps);
            runStretch<kSeries>(arguments, k, end, b.form, r, [&](int series) HWY_ATTR {
                return [of = termsOf(series), &sum = sums[series]](int step, const Vector* q)
                           HWY_ATTR { addTerms(of[step], q, sum); };
            });
        }
        for (int v = 0; v < kScalarBlock; ++v) {
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

// What a block keeps in memory between stretches of steps: the recurrence, then the Fourier
// coefficients of each series; kScalarState doubles a ring.
HWY_INLINE void saveRecurrence(const ScalarRegisters& r, double* to) {
    for (const auto* part : {&r.before, &r.now, &r.y}) saveVectors(*part, to);
}
HWY_INLINE void restoreRecurrence(const double* from, ScalarRegisters& r) {
    for (auto* part : {&r.before, &r.now, &r.y}) restoreVectors(from, *part);
}
HWY_INLINE void savePlanes(const ScalarPlanes& in, double* to) {
    for (const auto* part : {&in.evenRe, &in.evenIm, &in.oddRe, &in.oddIm}) saveVectors(*part, to);
}
HWY_INLINE void restorePlanes(const double* from, ScalarPlanes& in) {
    for (auto* part : {&in.evenRe, &in.evenIm, &in.oddRe, &in.oddIm}) restoreVectors(from, *part);
}
HWY_INLINE void foldPlanes(const ScalarKernelArguments& arguments, int ring, const double* planes,
                           ScalarPlanes& in) {
    const Tag tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    for (int v = 0; v < kScalarBlock; ++v) {
        const int at = arguments.first + ring + v * lanes;
        const Vector f = inverseSine(arguments, at);
        const Vector zf = hn::Mul(f, hn::Load(tag, arguments.rings->z.data() + at));
        const double* const from = planes + ring + v * lanes;
        const Vector nr = hn::Load(tag, from), ni = hn::Load(tag, from + arguments.stride);
        const Vector sr = hn::Load(tag, from + 2 * arguments.stride);
        const Vector si = hn::Load(tag, from + 3 * arguments.stride);
        in.evenRe[v] = hn::Mul(f, hn::Add(nr, sr));
        in.evenIm[v] = hn::Mul(f, hn::Add(ni, si));
        in.oddRe[v] = hn::Mul(zf, hn::Sub(nr, sr));
        in.oddIm[v] = hn::Mul(zf, hn::Sub(ni, si));
    }
}

// The sums of all steps do not fit into the inner cache. So every block is taken into range by
// itself, and then all blocks together through one stretch of steps after another.
template <int kSeries>
HWY_NOINLINE void scalarAccumulateOf(const ScalarKernelArguments& arguments, const double* planes,
                                     double* sums, double* states, int* begins) {
    const int lanes = static_cast<int>(hn::Lanes(Tag()));
    const int blocks = arguments.count / (kScalarBlock * lanes);
    const ptrdiff_t vectors = kScalarBlock * lanes, stateSize = kScalarState * vectors;
    const auto sumsOf = [&](int series, int step) {
        return sums + (static_cast<ptrdiff_t>(series) * arguments.steps + step) * 4 * lanes;
    };
    const auto planesOf = [&](int block, int series) {
        return states + block * stateSize + (3 + 4 * series) * vectors;
    };
    for (int block = 0; block < blocks; ++block) {
        const int ring = block * kScalarBlock * lanes;
        ScalarBlock b;
        const int k = startBlock(arguments, arguments.first + ring, b);
        ScalarPlanes in[kSeries];
        for (int series = 0; series < kSeries; ++series) {
            foldPlanes(arguments, ring, planes + series * kPlanes * arguments.stride, in[series]);
            savePlanes(in[series], planesOf(block, series));
        }
        begins[block] = bringIntoRange(arguments, k, b, [&](int step, const Vector* q) HWY_ATTR {
            for (int series = 0; series < kSeries; ++series)
                addSums(in[series], q, sumsOf(series, step));
        });
        saveRecurrence(inRegisters(b), states + block * stateSize);
    }
    for (int stretch = 0; stretch < arguments.steps; stretch += kStretch)
        for (int block = 0; block < blocks; ++block) {
            const int end = std::min(stretch + kStretch, arguments.steps);
            if (begins[block] >= end) continue;
            const int ring = arguments.first + block * kScalarBlock * lanes;
            ScalarRegisters r;
            restoreRecurrence(states + block * stateSize, r);
            runStretch<kSeries>(
                arguments, std::max(begins[block], stretch), end,
                arguments.rings->form[static_cast<size_t>(ring / kRingGroup)], r,
                [&](int series) HWY_ATTR {
                    ScalarPlanes in;
                    restorePlanes(planesOf(block, series), in);
                    return [in, of = sumsOf(series, 0), lanes](int step, const Vector* q) HWY_ATTR {
                        addSums(in, q, of + static_cast<ptrdiff_t>(step) * 4 * lanes);
                    };
                });
            saveRecurrence(r, states + block * stateSize);
        }
}
HWY_NOINLINE void scalarAccumulateImpl(const ScalarKernelArguments& arguments, const double* planes,
                                       double* sums, double* states, int* begins) {
    if (arguments.series == 1)
        scalarAccumulateOf<1>(arguments, planes, sums, states, begins);
    else
        scalarAccumulateOf<2>(arguments, planes, sums, states, begins);
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
size_t simdLanes() {
    return HWY_DYNAMIC_DISPATCH(lanesImpl)();
}
const char* simdName() {
    return HWY_DYNAMIC_DISPATCH(nameImpl)();
}

}  // namespace armilla
#endif
