// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a_lm, C_l, beams and radial kernels.
#pragma once

#include <string>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/io/map_io.h"

namespace armilla {

// Options of writers of harmonic data.
struct FileWriteOptions {
    bool overwrite = false;
    StoredPrecision precision = StoredPrecision::Double;
    std::vector<std::string> history;
    bool asDl = false;  // text spectra: l (l + 1) / (2 pi) C_l
};

// Properties of the map that a_lm belong to.
struct AlmLabels {
    Frame frame = Frame::Unknown;
    std::string unit;  // TUNIT of the real and imaginary parts
    // Spin of the field whose gradient and curl coefficients the sets are (SPIN); 0 for T, E, B.
    int spin = 0;
};

// Reads T, or T, E, B in successive HDUs. Rows hold index l^2+l+m+1, real and imaginary part;
// limits are in MAX-LPOL and MAX-MPOL. Imaginary parts at m = 0, which a real field does not have,
// are dropped, as in the transforms of HEALPix and healpy. Throws IoError, also for coefficients
// that are not finite; OutOfMemory, Cancelled. Frame and unit of the file are in its FileSummary
// (`inspectFile`).
// `spin` receives the spin of AlmLabels, 0 if the file states none.
std::vector<Alm> readAlm(const std::string& path, JobContext& job, int* spin = nullptr);
// COORDSYS receives the frame, unless unknown. Throws InvalidArgument for coefficients or spectra
// beyond the range of the precision.
void writeAlm(const std::vector<Alm>& alm, const std::string& path, const FileWriteOptions& options,
              JobContext& job, const AlmLabels& labels = {});

// C_l at every l from 0. armilla/io/spectrum_io.h defines the identification of columns and of C_l
// or D_l, and declares an overload with statements of the user. Files of asymmetric spectra have
// nine columns; the first six are used. healpy writes EB and TB under each other's names; both are
// corrected. Assumptions and omissions are added to `notes`, one line each. Throws IoError.
Spectra readSpectra(const std::string& path, std::vector<std::string>* notes = nullptr);
// Writes FITS, or by the suffix text (.txt with a comment that names the columns, .csv), ECSV or
// VOTable. A spectrum shorter than others is padded with zeros. Throws InvalidArgument for values
// beyond the range of the precision, IoError, Cancelled.
void writeSpectra(const Spectra& spectra, const std::string& path, const FileWriteOptions& options,
                  JobContext& job);

// B_l for T, E, B at every l from 0: FITS table of 1 to 3 columns or text "l bT [bE bB]" with #
// comments. A missing B is set to E, a missing E to T; zero beyond the last l. `notes` names
// ignored columns (error modes of instrument models). Throws IoError.
Beam readBeam(const std::string& path, std::vector<std::string>* notes = nullptr);
// A radial profile in two columns, angle and value. The unit of the angle (radians, degrees,
// arcmin) is in TUNIT1 or in a "# angle UNIT" comment of a text file; angles ascend from 0. Throws
// IoError.
RadialKernel readRadialKernel(const std::string& path);

}  // namespace armilla
