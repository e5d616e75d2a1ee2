// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of complex numbers for the kernels of the ring FFTs. Compiled for each instruction
// set, inside column_simd.cpp and real_input_fft_simd.cpp.
#if defined(ARMILLA_COMPLEX_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ARMILLA_COMPLEX_SIMD_INL_H
#undef ARMILLA_COMPLEX_SIMD_INL_H
#else
#define ARMILLA_COMPLEX_SIMD_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Complex numbers one by one.
#if HWY_TARGET == HWY_SCALAR
struct Number {
    double re, im;
};
HWY_INLINE Number loadNumber(const double* p) {
    return {p[0], p[1]};
}
HWY_INLINE void storeNumber(Number a, double* p) {
    p[0] = a.re;
    p[1] = a.im;
}
HWY_INLINE Number sum(Number a, Number b) {
    return {a.re + b.re, a.im + b.im};
}
HWY_INLINE Number difference(Number a, Number b) {
    return {a.re - b.re, a.im - b.im};
}
HWY_INLINE Number product(Number a, Number b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
HWY_INLINE Number minusI(Number a) {
    return {a.im, -a.re};
}
HWY_INLINE Number conjugate(Number a) {
    return {a.re, -a.im};
}
HWY_INLINE Number scaled(double factor, Number a) {
    return {factor * a.re, factor * a.im};
}
#else
// Changes the signs of real or of imaginary parts.
template <class D>
HWY_INLINE hn::Vec<D> realSign(D tag) {
    return hn::OddEven(hn::Zero(tag), hn::Set(tag, -0.0));
}
template <class D>
HWY_INLINE hn::Vec<D> imaginarySign(D tag) {
    return hn::OddEven(hn::Set(tag, -0.0), hn::Zero(tag));
}
using One = hn::Full128<double>;
using Number = hn::Vec<One>;
HWY_INLINE Number loadNumber(const double* p) {
    return hn::Load(One(), p);
}
HWY_INLINE void storeNumber(Number a, double* p) {
    hn::Store(a, One(), p);
}
HWY_INLINE Number sum(Number a, Number b) {
    return hn::Add(a, b);
}
HWY_INLINE Number difference(Number a, Number b) {
    return hn::Sub(a, b);
}
HWY_INLINE Number product(Number a, Number b) {
    // (re, re) and (-im, im) of b.
    const Number re = hn::InterleaveLower(One(), b, b);
    const Number im = hn::Xor(hn::InterleaveUpper(One(), b, b), realSign(One()));
    return hn::MulAdd(hn::Shuffle01(a), im, hn::Mul(a, re));
}
HWY_INLINE Number minusI(Number a) {
    return hn::Xor(hn::Shuffle01(a), imaginarySign(One()));
}
HWY_INLINE Number conjugate(Number a) {
    return hn::Xor(a, imaginarySign(One()));
}
HWY_INLINE Number scaled(double factor, Number a) {
    return hn::Mul(hn::Set(One(), factor), a);
}
#endif

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
