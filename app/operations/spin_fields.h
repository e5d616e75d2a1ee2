// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of spin 1 to 3 in map2alm and alm2map, and second derivatives by spin 2.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "transform_parameters.h"

namespace armilla {

void describeSpin(Description& d, int64_t& spin, bool& qu);
void checkSpin(int64_t spin, bool qu, Problems& problems);
// Names of the two components: Q and U for spin 2.
std::array<std::string, 2> spinFieldNames(int spin);
// Names of the derivatives along and across meridians: two of first order, then three of second.
inline constexpr std::array<const char*, 5> kDerivativeNames{"DX_T", "DY_T", "DXX_T", "DXY_T",
                                                             "DYY_T"};
// Whether alm2map gives this name to a component along meridians other than Q and U.
bool isComponent(const std::string& name);
// The two sets of a spin field, or for spin 2 also E and B of T, E, B. Throws InvalidArgument for
// other numbers of sets, and for a file that states another spin.
std::vector<Alm> gradientAndCurl(AlmSet set, int spin);
// The Gaussian beam of a field of a spin, exp(-(l(l+1) - spin^2) sigma^2 / 2), for two sets.
Beam spinBeam(double fwhm, int lmax, int spin);
// The two fields of the map of an input that hold the components. Throws InvalidArgument.
std::vector<int> componentsOf(const Input& input, int spin);
// Computes the values of the six fields of synthesizedFields() with second derivatives.
void fillSecondDerivatives(const ShtPlan& plan, const Alm& alm, int64_t nside, bool single,
                           std::vector<Field>& fields, JobContext& job);

}  // namespace armilla
