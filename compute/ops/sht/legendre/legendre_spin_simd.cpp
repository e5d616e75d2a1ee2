// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of spin s > 0 in the polar caps, compiled like the loops of spin 0: twelve
// multiply-adds a step and vector.
#include "sht/legendre/legendre_kernels.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sht/legendre/legendre_spin_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sht/legendre/legendre_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

// Vectors in a block: as many as the registers hold (32 with AVX-512, else 16).
#if HWY_TARGET == HWY_AVX3
constexpr int kSpinBlock = 2;
#else
constexpr int kSpinBlock = 1;
#endif

struct SpinBlock {
    int form;
    Vector y[kSpinBlock];
    Pair plus[kSpinBlock], minus[kSpinBlock];
};
HWY_INLINE void advance(SpinBlock& b, const SpinStep& step) {
    const Tag tag;
    const Vector a = hn::Set(tag, step.a);
    const Vector gPlus = hn::Set(tag, step.gPlus[b.form]);
    const Vector gMinus = hn::Set(tag, step.gMinus[b.form]);
    for (int v = 0; v < kSpinBlock; ++v) {
        const Vector nextPlus =
            hn::MulSub(hn::MulAdd(a, b.y[v], gPlus), b.plus[v].now, b.plus[v].before);
        const Vector nextMinus =
            hn::MulSub(hn::MulAdd(a, b.y[v], gMinus), b.minus[v].now, b.minus[v].before);
        b.plus[v].before = b.plus[v].now;
        b.plus[v].now = nextPlus;
        b.minus[v].before = b.minus[v].now;
        b.minus[v].now = nextMinus;
    }
}
HWY_INLINE bool allInRange(const SpinBlock& b) {
    bool all = true;
    for (int v = 0; v < kSpinBlock; ++v)
        all = all && allInRange(b.plus[v]) && allInRange(b.minus[v]);
    return all;
}
HWY_INLINE void shrinkGrown(SpinBlock& b) {
    for (int v = 0; v < kSpinBlock; ++v) {
        shrinkGrown(b.plus[v]);
        shrinkGrown(b.minus[v]);
    }
}
HWY_INLINE int startBlock(const SpinKernelArguments& arguments, int ring, SpinBlock& b) {
    const Tag tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    const RingLatitudes& rings = *arguments.rings;
    b.form = rings.form[static_cast<size_t>(ring / kRingGroup)];
    for (int v = 0; v < kSpinBlock; ++v) {
        const int at = ring + v * lanes;
        const double *sh = rings.sinHalfHigh.data() + at, *sl = rings.sinHalfLow.data() + at;
        const double *ch = rings.cosHalfHigh.data() + at, *cl = rings.cosHalfLow.data() + at;
        const DoubleDouble plus =
            product(power(sh, sl, arguments.sinPower), power(ch, cl, arguments.cosPower));
        const DoubleDouble minus =
            product(power(sh, sl, arguments.cosPower), power(ch, cl, arguments.sinPower));
        b.y[v] = hn::Load(tag, rings.spinArgument.data() + at);
        b.plus[v] = startPair(plus, arguments.startPlus);
        b.minus[v] = startPair(minus, arguments.startMinus);
    }
    int k = 0;
    for (; k + kStepsBetweenChecks <= arguments.steps; k += kStepsBetweenChecks) {
        bool any = false;
        for (int v = 0; v < kSpinBlock; ++v)
            any = any || anyInRange(b.plus[v]) || anyInRange(b.minus[v]);
        if (any) break;
        for (int i = 0; i < kStepsBetweenChecks; ++i) advance(b, arguments.recurrence[k + i]);
        shrinkGrown(b);
    }
    return k;
}

// Sums of A^+ S^+, A^- S^- (north) and of (-1)^k A^+ S^-, (-1)^k A^- S^+ (south), real and
// imaginary. In analysis: the Fourier coefficients G^+ and G^- of north and south in the same
// places.
struct SpinPlanes {
    Vector v[8][kSpinBlock];
};
template <bool kOdd>
HWY_INLINE Vector addSigned(Vector factor, Vector value, Vector sum) {
    if constexpr (kOdd)
        return hn::NegMulAdd(factor, value, sum);
    else
        return hn::MulAdd(factor, value, sum);
}
template <bool kOdd>
HWY_INLINE void addStep(const SpinStep& step, const Vector* plus, const Vector* minus,
                        SpinPlanes& sum) {
    const Tag tag;
    const Vector ar = hn::Set(tag, step.plusRe), ai = hn::Set(tag, step.plusIm);
    for (int v = 0; v < kSpinBlock; ++v) {
        sum.v[0][v] = hn::MulAdd(ar, plus[v], sum.v[0][v]);
        sum.v[1][v] = hn::MulAdd(ai, plus[v], sum.v[1][v]);
        sum.v[4][v] = addSigned<kOdd>(ar, minus[v], sum.v[4][v]);
        sum.v[5][v] = addSigned<kOdd>(ai, minus[v], sum.v[5][v]);
    }
    const Vector br = hn::Set(tag, step.minusRe), bi = hn::Set(tag, step.minusIm);
    for (int v = 0; v < kSpinBlock; ++v) {
        sum.v[2][v] = hn::MulAdd(br, minus[v], sum.v[2][v]);
        sum.v[3][v] = hn::MulAdd(bi, minus[v], sum.v[3][v]);
        sum.v[6][v] = addSigned<kOdd>(br, plus[v], sum.v[6][v]);
        sum.v[7][v] = addSigned<kOdd>(bi, plus[v], sum.v[7][v]);
    }
}
template <bool kOdd>
HWY_INLINE void accumulateStep(const SpinPlanes& in, const Vector* plus, const Vector* minus,
                               double* s) {
    const Tag tag;
    const size_t lanes = hn::Lanes(tag);
    Vector s0 = hn::Load(tag, s), s1 = hn::Load(tag, s + lanes);
    Vector s2 = hn::Load(tag, s + 2 * lanes), s3 = hn::Load(tag, s + 3 * lanes);
    for (int v = 0; v < kSpinBlock; ++v) {
        s0 = hn::MulAdd(plus[v], in.v[0][v], s0);
        s1 = hn::MulAdd(plus[v], in.v[1][v], s1);
        s2 = hn::MulAdd(minus[v], in.v[2][v], s2);
        s3 = hn::MulAdd(minus[v], in.v[3][v], s3);
        s0 = addSigned<kOdd>(minus[v], in.v[4][v], s0);
        s1 = addSigned<kOdd>(minus[v], in.v[5][v], s1);
        s2 = addSigned<kOdd>(plus[v], in.v[6][v], s2);
        s3 = addSigned<kOdd>(plus[v], in.v[7][v], s3);
    }
    hn::Store(s0, tag, s);
    hn::Store(s1, tag, s + lanes);
    hn::Store(s2, tag, s + 2 * lanes);
    hn::Store(s3, tag, s + 3 * lanes);
}
// The recurrence of both functions in registers, all lanes in range.
struct SpinRecurrence {
    int form;
    Vector y[kSpinBlock];
    Vector plus[kSpinBlock], minus[kSpinBlock], plusBefore[kSpinBlock], minusBefore[kSpinBlock];
};
HWY_INLINE void advance(const SpinRecurrence& r, const SpinStep& step, const Vector* plus,
                        const Vector* minus, Vector* plusBefore, Vector* minusBefore) {
    const Tag tag;
    const Vector a = hn::Set(tag, step.a), gPlus = hn::Set(tag, step.gPlus[r.form]);
    const Vector gMinus = hn::Set(tag, step.gMinus[r.form]);
    for (int v = 0; v < kSpinBlock; ++v) {
        plusBefore[v] = hn::MulSub(hn::MulAdd(a, r.y[v], gPlus), plus[v], plusBefore[v]);
        minusBefore[v] = hn::MulSub(hn::MulAdd(a, r.y[v], gMinus), minus[v], minusBefore[v]);
    }
}
// Advances a block from step k until all lanes are in range, at an even step, or to the end. Calls
// `addEven(step, plus, minus)` or `addOdd` for each step on the way. A step is odd by k, not by l +
// m: the caller applies the sign of a complete sum.
template <typename AddEven, typename AddOdd>
HWY_INLINE int bringIntoRange(const SpinKernelArguments& arguments, int k, SpinBlock& b,
                              const AddEven& addEven, const AddOdd& addOdd) {
    bool pure = allInRange(b);
    for (; (!pure || (k & 1) != 0) && k < arguments.steps; ++k) {
        Vector plus[kSpinBlock], minus[kSpinBlock];
        for (int v = 0; v < kSpinBlock; ++v) {
            plus[v] = inRange(b.plus[v]);
            minus[v] = inRange(b.minus[v]);
        }
        if ((k & 1) != 0)
            addOdd(k, plus, minus);
        else
            addEven(k, plus, minus);
        advance(b, arguments.recurrence[k]);
        if (k % kStepsBetweenChecks == 0) {
            shrinkGrown(b);
            pure = allInRange(b);
        }
    }
    return k;
}
// The recurrence in registers, all lanes in range: steps k .. end - 1, where k is even and end is
// even or the last step. Updates the recurrence.
template <typename AddEven, typename AddOdd>
HWY_INLINE void runInRange(const SpinStep* steps, int k, int end, SpinRecurrence& r,
                           const AddEven& addEven, const AddOdd& addOdd) {
    // The recurrence comes first, as in runSteps of spin 0.
    for (; k + 1 < end; k += 2) {
        advance(r, steps[k], r.plus, r.minus, r.plusBefore, r.minusBefore);
        addEven(k, r.plus, r.minus);
        advance(r, steps[k + 1], r.plusBefore, r.minusBefore, r.plus, r.minus);
        addOdd(k + 1, r.plusBefore, r.minusBefore);
    }
    if (k < end) addEven(k, r.plus, r.minus);
}
HWY_INLINE SpinRecurrence inRegisters(const SpinBlock& b) {
    SpinRecurrence r;
    r.form = b.form;
    for (int v = 0; v < kSpinBlock; ++v) {
        r.y[v] = b.y[v];
        r.plusBefore[v] = b.plus[v].before;
        r.plus[v] = b.plus[v].now;
        r.minusBefore[v] = b.minus[v].before;
        r.minus[v] = b.minus[v].now;
    }
    return r;
}
// (-1)^{l+m} at step 0.
HWY_INLINE Vector southSign(const SpinKernelArguments& arguments) {
    const Tag tag;
    return hn::Set(tag, ((arguments.firstDegree + arguments.m) & 1) != 0 ? -1.0 : 1.0);
}

HWY_NOINLINE void spinSynthesisImpl(const SpinKernelArguments& arguments, double* planes) {
    const Tag tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    const SpinStep* const steps = arguments.recurrence;
    for (int ring = 0; ring < arguments.count; ring += kSpinBlock * lanes) {
        SpinBlock b;
        const int k = startBlock(arguments, arguments.first + ring, b);
        SpinPlanes sum;
        for (auto& quantity : sum.v)
            for (Vector& value : quantity) value = hn::Zero(tag);
        const auto addEven = [&](int step, const Vector* plus, const Vector* minus)
                                 HWY_ATTR { addStep<false>(steps[step], plus, minus, sum); };
        const auto addOdd = [&](int step, const Vector* plus, const Vector* minus)
                                HWY_ATTR { addStep<true>(steps[step], plus, minus, sum); };
        const int begin = bringIntoRange(arguments, k, b, addEven, addOdd);
        SpinRecurrence r = inRegisters(b);
        runInRange(steps, begin, arguments.steps, r, addEven, addOdd);
        // Q_m = (G^+ + G^-) / 2, U_m = (G^+ - G^-) / (2 i), north and south.
        for (int v = 0; v < kSpinBlock; ++v) {
            double* const out = planes + ring + v * lanes;
            for (int side = 0; side < 2; ++side) {
                Vector half = hn::Set(tag, 0.5);
                if (side == 1) half = hn::Mul(half, southSign(arguments));
                const Vector pr = sum.v[4 * side][v], pi = sum.v[4 * side + 1][v];
                const Vector mr = sum.v[4 * side + 2][v], mi = sum.v[4 * side + 3][v];
                double* const q = out + 2 * side * arguments.stride;
                double* const u = q + kPlanes * arguments.stride;
                hn::Store(hn::Mul(half, hn::Add(pr, mr)), tag, q);
                hn::Store(hn::Mul(half, hn::Add(pi, mi)), tag, q + arguments.stride);
                hn::Store(hn::Mul(half, hn::Sub(pi, mi)), tag, u);
                hn::Store(hn::Mul(half, hn::Sub(mr, pr)), tag, u + arguments.stride);
            }
        }
    }
}

// G^+ = Q + i U and G^- = Q - i U, north and south.
HWY_INLINE void foldPlanes(const SpinKernelArguments& arguments, const double* planes,
                           SpinPlanes& in) {
    const Tag tag;
    const size_t lanes = hn::Lanes(tag);
    for (int v = 0; v < kSpinBlock; ++v)
        for (int side = 0; side < 2; ++side) {
            const Vector sign = side == 1 ? southSign(arguments) : hn::Set(tag, 1.0);
            const double* const q =
                planes + static_cast<size_t>(v) * lanes + 2 * side * arguments.stride;
            const double* const u = q + kPlanes * arguments.stride;
            const Vector qr = hn::Load(tag, q), qi = hn::Load(tag, q + arguments.stride);
            const Vector ur = hn::Load(tag, u), ui = hn::Load(tag, u + arguments.stride);
            in.v[4 * side][v] = hn::Mul(sign, hn::Sub(qr, ui));
            in.v[4 * side + 1][v] = hn::Mul(sign, hn::Add(qi, ur));
            in.v[4 * side + 2][v] = hn::Mul(sign, hn::Add(qr, ui));
            in.v[4 * side + 3][v] = hn::Mul(sign, hn::Sub(qi, ur));
        }
}

// The state that a block keeps in memory between stretches of steps; kSpinState doubles a ring.
struct SpinState {
    SpinRecurrence recurrence;
    SpinPlanes in;
};
HWY_INLINE void saveRecurrence(const SpinRecurrence& r, double*& to) {
    for (const auto* part : {&r.plusBefore, &r.plus, &r.minusBefore, &r.minus})
        saveVectors(*part, to);
}
HWY_INLINE void save(const SpinState& state, double* to) {
    saveRecurrence(state.recurrence, to);
    saveVectors(state.recurrence.y, to);
    for (const auto& part : state.in.v) saveVectors(part, to);
}
HWY_INLINE void restore(const double* from, SpinState& state) {
    SpinRecurrence& r = state.recurrence;
    for (auto* part : {&r.plusBefore, &r.plus, &r.minusBefore, &r.minus, &r.y})
        restoreVectors(from, *part);
    for (auto& part : state.in.v) restoreVectors(from, part);
}

HWY_NOINLINE void spinAccumulateImpl(const SpinKernelArguments& arguments, const double* planes,
                                     double* sums, double* states, int* begins) {
    const int lanes = static_cast<int>(hn::Lanes(Tag()));
    const int blocks = arguments.count / (kSpinBlock * lanes);
    const ptrdiff_t stateSize = kSpinState * kSpinBlock * lanes;
    SpinState state;
    const auto sumsOf = [&](int step) { return sums + static_cast<ptrdiff_t>(step) * 4 * lanes; };
    const auto addEven = [&](int step, const Vector* plus, const Vector* minus) HWY_ATTR {
        accumulateStep<false>(state.in, plus, minus, sumsOf(step));
    };
    const auto addOdd = [&](int step, const Vector* plus, const Vector* minus)
                            HWY_ATTR { accumulateStep<true>(state.in, plus, minus, sumsOf(step)); };
    for (int block = 0; block < blocks; ++block) {
        const int ring = block * kSpinBlock * lanes;
        SpinBlock b;
        const int k = startBlock(arguments, arguments.first + ring, b);
        foldPlanes(arguments, planes + ring, state.in);
        begins[block] = bringIntoRange(arguments, k, b, addEven, addOdd);
        state.recurrence = inRegisters(b);
        save(state, states + block * stateSize);
    }
    for (int stretch = 0; stretch < arguments.steps; stretch += kStretch)
        for (int block = 0; block < blocks; ++block) {
            const int end = std::min(stretch + kStretch, arguments.steps);
            if (begins[block] >= end) continue;
            restore(states + block * stateSize, state);
            const int ring = arguments.first + block * kSpinBlock * lanes;
            state.recurrence.form = arguments.rings->form[static_cast<size_t>(ring / kRingGroup)];
            runInRange(arguments.recurrence, std::max(begins[block], stretch), end,
                       state.recurrence, addEven, addOdd);
            double* to = states + block * stateSize;
            saveRecurrence(state.recurrence, to);
        }
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(spinSynthesisImpl);
HWY_EXPORT(spinAccumulateImpl);

void spinSynthesis(const SpinKernelArguments& arguments, double* planes) {
    HWY_DYNAMIC_DISPATCH(spinSynthesisImpl)(arguments, planes);
}
void spinAccumulate(const SpinKernelArguments& arguments, const double* planes, double* sums,
                    double* states, int* begins) {
    HWY_DYNAMIC_DISPATCH(spinAccumulateImpl)(arguments, planes, sums, states, begins);
}

}  // namespace armilla
#endif
