// SPDX-License-Identifier: GPL-3.0-or-later
// The part of libsharp 1.0's C interface that the transforms call. HEALPix C++ 3.80 stands on this
// library and offers whole transforms only; called directly, it does a few rings at a time, so that
// a transform can be stopped and can tell how far it is. Debian ships libsharp.so.0 with
// libhealpix-cxx, but this header's counterpart only in a package that nothing else here needs.
//
// libsharp: M. Reinecke & D. S. Seljebotn, A&A 554 (2013) A112, arXiv:1303.4945.
#pragma once

#include <cstddef>
#include <memory>

extern "C" {

struct sharp_geom_info;
struct sharp_alm_info;

enum SharpJobType : int { SHARP_ANALYSIS = 0, SHARP_SYNTHESIS = 1, SHARP_GRADIENT = 4 };
enum SharpFlags : int { SHARP_DOUBLE = 1 << 4, SHARP_ADD = 1 << 5 };

// Rings of `nph` pixels, the first at azimuth phi0 and index ofs. Rings that mirror each other at
// the equator are paired by the library.
void sharp_make_geom_info(int nrings, const int* nph, const std::ptrdiff_t* ofs, const int* stride,
                          const double* phi0, const double* theta, const double* weight,
                          sharp_geom_info** info);
void sharp_destroy_geom_info(sharp_geom_info* info);

// mvstart[i]: index of the (hypothetical) coefficient l = 0 of m = mval[i].
void sharp_make_general_alm_info(int lmax, int nm, int stride, const int* mval,
                                 const std::ptrdiff_t* mvstart, int flags, sharp_alm_info** info);
void sharp_destroy_alm_info(sharp_alm_info* info);

// alm and map: arrays of one (spin 0) or two pointers.
void sharp_execute(int type, int spin, void* alm, void* map, const sharp_geom_info* geometry,
                   const sharp_alm_info* coefficients, int flags, double* seconds,
                   unsigned long long* operations);

}  // extern "C"

namespace armilla {

struct SharpDeleter {
    void operator()(sharp_geom_info* info) const { sharp_destroy_geom_info(info); }
    void operator()(sharp_alm_info* info) const { sharp_destroy_alm_info(info); }
};
using SharpGeometry = std::unique_ptr<sharp_geom_info, SharpDeleter>;
using SharpAlmInfo = std::unique_ptr<sharp_alm_info, SharpDeleter>;

}  // namespace armilla
