// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of harmonic space and of whole maps on numpy arrays.
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/spectrum.h"
#include "arrays.h"
#include "call.h"
#include "values.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

using ComplexIn = ArrayIn<const std::complex<double>>;
using ComplexInOut = ArrayIn<std::complex<double>>;

std::vector<Alm> almOf(const std::vector<ComplexIn>& arrays, int lmax, int mmax) {
    std::vector<Alm> alm;
    for (const ComplexIn& array : arrays)
        alm.emplace_back(
            lmax, mmax,
            std::vector<std::complex<double>>(array.data(), array.data() + array.size()));
    return alm;
}

// C_l of each spectrum that there is, in the order TT EE BB TE TB EB.
nb::list spectraOf(const std::vector<ComplexIn>& a, int lmaxA, int mmaxA,
                   const std::vector<ComplexIn>& b, int lmaxB, int mmaxB, int threads) {
    Spectra spectra;
    runJob({threads, nb::none()}, [&](JobContext& job) {
        const std::vector<Alm> first = almOf(a, lmaxA, mmaxA), second = almOf(b, lmaxB, mmaxB);
        spectra = powerSpectra(first, second, job);
    });
    nb::list list;
    for (std::vector<double>& cl : spectra.cl)
        if (!cl.empty()) list.append(arrayOf(std::move(cl)));
    return list;
}

// Rotates in place; `matrix` is row-major and maps a direction n to matrix n.
void rotate(const std::vector<ComplexInOut>& arrays, int lmax, const std::array<double, 9>& matrix,
            const std::string& device, int threads) {
    Mat3 rotation;
    std::copy(matrix.begin(), matrix.end(), rotation.m);
    runJob({threads, nb::none()}, [&](JobContext& job) {
        std::vector<Alm> alm;
        for (const ComplexInOut& array : arrays)
            alm.emplace_back(
                lmax, lmax,
                std::vector<std::complex<double>>(array.data(), array.data() + array.size()));
        rotateAlm(alm, rotation, Device::fromText(device, {.cuda = true}), job);
        for (size_t i = 0; i < alm.size(); ++i)
            std::copy(alm[i].values().begin(), alm[i].values().end(), arrays[i].data());
    });
}

nb::list pixelWindows(int64_t nside, int lmax, int threads) {
    Beam window;
    runJob({threads, nb::none()}, [&](JobContext& job) { window = pixelWindow(nside, lmax, job); });
    nb::list list;
    for (std::vector<double>& bl : window.bl) list.append(arrayOf(std::move(bl)));
    return list;
}

std::array<double, 9> frameMatrix(const std::string& to, const std::string& from) {
    const Mat3 rotation = frameRotation(frameOfLetter(to), frameOfLetter(from));
    std::array<double, 9> matrix{};
    std::copy(std::begin(rotation.m), std::end(rotation.m), matrix.begin());
    return matrix;
}

}  // namespace

void bindHarmonics(nb::module_& module) {
    module.def("power_spectra", &spectraOf, nb::arg("a"), nb::arg("lmax_a"), nb::arg("mmax_a"),
               nb::arg("b"), nb::arg("lmax_b"), nb::arg("mmax_b"), nb::arg("threads") = 0);
    module.def("rotate_alm", &rotate, nb::arg("alm"), nb::arg("lmax"), nb::arg("matrix"),
               nb::arg("device"), nb::arg("threads") = 0);
    module.def("pixel_window", &pixelWindows, nb::arg("nside"), nb::arg("lmax"),
               nb::arg("threads") = 0);
    module.def("frame_matrix", &frameMatrix, nb::arg("to"), nb::arg("from_"));
}

}  // namespace armilla::python
