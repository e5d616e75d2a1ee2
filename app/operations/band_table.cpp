// SPDX-License-Identifier: GPL-3.0-or-later
// Band powers and nine spectra as tables and curves.
#include <cmath>

#include "armilla/core/counted.h"
#include "armilla/core/new_vector.h"
#include "armilla/io/table_io.h"
#include "masked_spectra.h"

namespace armilla {

namespace {

TableColumn columnOf(std::string name, std::string unit, std::string description,
                     std::vector<double> values) {
    TableColumn column;
    column.name = std::move(name);
    column.unit = std::move(unit);
    column.description = std::move(description);
    column.values = std::move(values);
    return column;
}

std::vector<double> errorsOf(const MaskedSpectra& spectra, size_t place) {
    const auto bins = static_cast<size_t>(spectra.bands->binCount()),
               size = bins * spectra.written.size();
    std::vector<double> errors;
    for (size_t q = 0; q < bins && !spectra.covariance.empty(); ++q) {
        const size_t at = place * bins + q;
        errors.push_back(std::sqrt(spectra.covariance[at * size + at]));
    }
    return errors;
}

// The windows of all spectra, one below the other.
TableMatrix windowsOf(const MaskedSpectra& spectra, bool ofPartner, JobContext& job) {
    const int64_t columns = spectra.bands->request().lmax + 1, bins = spectra.bands->binCount();
    TableMatrix matrix{ofPartner ? "WINDOWS_PARTNER" : "WINDOWS", 0, columns, {}};
    const auto size = static_cast<size_t>(bins * columns);
    matrix.rows = bins * static_cast<int64_t>(spectra.written.size());
    matrix.values = newVector<double>(matrix.rows * columns, job);
    for (size_t i = 0; i < spectra.written.size(); ++i) {
        const int s = spectra.written[i];
        const BandPowers::Window window =
            ofPartner ? spectra.bands->partnerWindow(s) : spectra.bands->window(s);
        double* const to = matrix.values.data() + i * size;
        parallelFor(job, static_cast<long long>(window.values.size()), kPixelGrain,
                    [&](long long begin, long long end) {
                        for (auto k = static_cast<size_t>(begin); k < static_cast<size_t>(end); ++k)
                            to[k] = window[k] / spectra.divisor;
                    });
    }
    return matrix;
}

}  // namespace

BandMatrices bandMatrices(const MaskedSpectra& spectra, JobContext& job) {
    std::vector<TableMatrix> matrices;
    const auto size = static_cast<int64_t>(spectra.written.size()) * spectra.bands->binCount();
    if (!spectra.covariance.empty())
        matrices.push_back({"COVARIANCE", size, size, spectra.covariance});
    matrices.push_back(windowsOf(spectra, false, job));
    if (spectra.bands->request().polarization) matrices.push_back(windowsOf(spectra, true, job));
    return std::make_shared<const std::vector<TableMatrix>>(std::move(matrices));
}

Output bandOutput(const MaskedSpectra& spectra, BandMatrices matrices,
                  const AnafastOptions& options, const std::string& unit,
                  const std::function<void(const std::string&)>& note) {
    auto curve = std::make_shared<Curve>();
    curve->kind = CurveKind::Plain;
    curve->name =
        options.binAs == BinAs::Dl ? "band powers of l (l + 1) C_l / (2 pi)" : "band powers of C_l";
    curve->xName = "L_EFF";
    for (const MultipoleBin& bin : spectra.bands->request().bins) {
        curve->x.push_back(bin.mean());
        curve->xLow.push_back(bin.first);
        curve->xHigh.push_back(bin.last);
    }
    Table table;
    table.name = "BANDPOWERS";
    table.columns = {columnOf("L_EFF", "", "mean multipole of the bin", curve->x),
                     columnOf("L_MIN", "", "first multipole of the bin", curve->xLow),
                     columnOf("L_MAX", "", "last multipole of the bin", curve->xHigh)};
    for (size_t i = 0; i < spectra.written.size(); ++i) {
        const auto s = static_cast<size_t>(spectra.written[i]);
        const std::string name(kNinePairNames[s]);
        curve->series.push_back({name, unit, spectra.powers[s], errorsOf(spectra, i)});
        table.columns.push_back(columnOf(name, unit, curve->name, spectra.powers[s]));
    }
    for (const CurveSeries& series : curve->series)
        if (!series.errors.empty())
            table.columns.push_back(
                columnOf(series.name + "_ERR", unit, "one standard deviation", series.errors));
    if (spectra.written.size() == 1) curve->covariance = spectra.covariance;
    Output output{
        "CL", std::shared_ptr<const Curve>(curve),
        counted(spectra.bands->binCount(), "bin") + ", lmax " + std::to_string(spectra.lmax)};
    output.write = [table = std::move(table), matrices = std::move(matrices), note](
                       const std::string& path, const FileWriteOptions& write, JobContext& job) {
        TableWriteOptions out{write.overwrite, write.history};
        if (tableFormatOf(path).value_or(TableFormat::Fits) == TableFormat::Fits)
            out.matrices = *matrices;
        else
            note(path + ": covariance and windows are written to FITS files only");
        writeTable(table, path, out, job);
    };
    return output;
}

Output nineOutput(const MaskedSpectra& spectra, const std::string& unit) {
    auto curve = std::make_shared<Curve>();
    curve->kind = CurveKind::Spectrum;
    curve->xName = "L";
    for (int l = 0; l <= spectra.lmax; ++l) curve->x.push_back(l);
    Table table;
    table.name = "SPECTRA";
    table.columns.push_back(columnOf("L", "", "multipole", curve->x));
    for (size_t s = 0; s < 9; ++s) {
        curve->series.push_back({std::string(kNinePairNames[s]), unit, spectra.cl[s], {}});
        table.columns.push_back(
            columnOf(std::string(kNinePairNames[s]), unit, "C_l", spectra.cl[s]));
    }
    Output output{"CL", std::shared_ptr<const Curve>(curve),
                  "nine spectra, lmax " + std::to_string(spectra.lmax)};
    output.write = [table = std::move(table)](const std::string& path,
                                              const FileWriteOptions& write, JobContext& job) {
        writeTable(table, path, {write.overwrite, write.history}, job);
    };
    return output;
}

}  // namespace armilla
