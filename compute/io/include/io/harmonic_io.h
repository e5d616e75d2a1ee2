// SPDX-License-Identifier: GPL-3.0-or-later
// alm, C_l, beams and radial kernels on disk.
#pragma once

#include <string>
#include <vector>

#include "core/harmonics.h"
#include "core/job_context.h"
#include "io/map_io.h"

namespace armilla {

struct FileWriteOptions {
    bool overwrite = false;
    StoredPrecision precision = StoredPrecision::Double;
    std::vector<std::string> history;
    bool asDl = false;  // text spectra: l (l + 1) / (2 pi) C_l
};

// Of the map that alm belong to.
struct AlmLabels {
    Frame frame = Frame::Unknown;
    std::string unit;  // TUNIT of the real and imaginary parts
};

// T, or T, E, B in successive HDUs; index l^2+l+m+1, real, imaginary; MAX-LPOL, MAX-MPOL. Imaginary
// parts at m = 0, which the coefficients of a real field do not have, are dropped, as HEALPix and
// healpy do in their transforms. Throws IoError, also for coefficients that are not finite;
// OutOfMemory, Cancelled. Frame and unit of the file stand in its FileSummary (`inspectFile`).
std::vector<Alm> readAlm(const std::string& path, JobContext& job);
// The frame goes into COORDSYS, an unknown one does not. Throws InvalidArgument for coefficients,
// or spectra, that the precision does not hold.
void writeAlm(const std::vector<Alm>& alm, const std::string& path, const FileWriteOptions& options,
              JobContext& job, const AlmLabels& labels = {});

// C_l from l = 0, at every l. Which column holds what, and whether its values are C_l or D_l, is
// decided as io/spectrum_io.h says, where the same is declared for what the user states.
// Asymmetric spectra have nine columns, of which the
// first six count; EB and TB of healpy, which it writes under each other's names, are put right.
// Assumptions and omissions are added to `notes`, one line each.
Spectra readSpectra(const std::string& path, std::vector<std::string>* notes = nullptr);
// FITS, or by the suffix text (.txt with a comment that names the columns, .csv), ECSV or VOTable;
// zero beyond the last l of a spectrum that is shorter than others. Throws InvalidArgument for
// values that the precision does not hold, IoError, Cancelled.
void writeSpectra(const Spectra& spectra, const std::string& path, const FileWriteOptions& options,
                  JobContext& job);

// B_l for T, E, B at every l from 0: FITS table of 1 to 3 columns or text "l bT [bE bB]" with #
// comments. Missing B takes E, missing E takes T; zero beyond the last l. Columns that are no part
// of it (error modes of instrument models) are named in `notes`.
Beam readBeam(const std::string& path, std::vector<std::string>* notes = nullptr);
// A radial profile: two columns, angle and value, with the unit of the angle in TUNIT1 or in a
// "# angle UNIT" comment of a text file (radians, degrees, arcmin); angles ascending from 0.
RadialKernel readRadialKernel(const std::string& path);

}  // namespace armilla
