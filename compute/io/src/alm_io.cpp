// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "armilla/io/file_parts.h"
#include "armilla/io/harmonic_io.h"
#include "file_part_writer.h"
#include "fits_table.h"
#include "fits_writer.h"
#include "map_table.h"
#include "out_of_memory.h"
#include "table_kind.h"

namespace armilla {

namespace {

struct LM {
    int64_t l = 0, m = 0;
};

// index = l^2 + l + m + 1, -l <= m <= l; index >= 1.
LM fromIndex(int64_t index) {
    auto l = static_cast<int64_t>(std::sqrt(static_cast<double>(index - 1)));
    while (l * l > index - 1) --l;
    while ((l + 1) * (l + 1) <= index - 1) ++l;
    return {l, index - 1 - l * l - l};
}

struct AlmHdu {
    const FitsHdu* hdu = nullptr;
    TableLayout table;
    int64_t lmax = 0, mmax = 0;
};

std::vector<int64_t> pieceIndices(const AlmHdu& alm, int64_t rows, const std::byte* bytes) {
    const FitsColumn& column = alm.table.columns[0];
    std::vector<int64_t> indices(static_cast<size_t>(rows * column.repeat));
    decodeIntegers(alm.table, column, bytes, rows, indices.data());
    for (const int64_t index : indices)
        if (index < 1 || index > (kMaxAlmL + 1) * (kMaxAlmL + 1))
            throw IoError(
                "expected indices l^2+l+m+1 of at least 1, found " +
                (index < 0 ? std::string("a negative or undefined one") : std::to_string(index)));
    return indices;
}

void requireLimits(const std::string& path, int64_t lmax, int64_t mmax) {
    if (lmax > kMaxAlmL || mmax > lmax)
        refuse(path, "MAX-LPOL up to " + std::to_string(kMaxAlmL) + " and MAX-MPOL up to that",
               std::to_string(lmax) + " and " + std::to_string(mmax));
}

// lmax and mmax: the header's values, or larger ones if required by the indices.
void findLimits(FitsFile& file, AlmHdu& alm, JobContext& job) {
    alm.lmax = alm.hdu->header.integer("MAX-LPOL").value_or(0);
    alm.mmax = alm.hdu->header.integer("MAX-MPOL").value_or(0);
    std::mutex lock;
    forTablePieces(file, *alm.hdu, alm.table, job, "reading",
                   [&](int64_t, int64_t rows, const std::byte* bytes) {
                       int64_t lmax = 0, mmax = 0;
                       for (const int64_t index : pieceIndices(alm, rows, bytes)) {
                           const LM at = fromIndex(index);
                           lmax = std::max(lmax, at.l);
                           mmax = std::max(mmax, at.m);
                       }
                       const std::lock_guard guard(lock);
                       alm.lmax = std::max(alm.lmax, lmax);
                       alm.mmax = std::max(alm.mmax, mmax);
                   });
    requireLimits(file.path(), alm.lmax, alm.mmax);
}

// Checked coefficients of some rows.
struct PieceValues {
    std::vector<int64_t> indices;
    std::vector<double> real, imaginary;
};
PieceValues pieceValues(const AlmHdu& source, int64_t first, int64_t rows, const std::byte* bytes) {
    const TableLayout& table = source.table;
    PieceValues piece{pieceIndices(source, rows, bytes), {}, {}};
    piece.real.resize(piece.indices.size());
    piece.imaginary.resize(piece.indices.size());
    decodeColumn(table, table.columns[1], bytes, rows, {}, piece.real.data());
    decodeColumn(table, table.columns[2], bytes, rows, {}, piece.imaginary.data());
    for (size_t i = 0; i < piece.indices.size(); ++i)
        if (!std::isfinite(piece.real[i]) || !std::isfinite(piece.imaginary[i]))
            throw IoError(
                "expected finite coefficients, found none in row " +
                std::to_string(first + static_cast<int64_t>(i) / table.columns[0].repeat + 1));
    return piece;
}

Alm readOne(FitsFile& file, const AlmHdu& source, int lmax, int mmax, JobContext& job) {
    Alm alm(lmax, mmax);
    std::vector<bool> seen(alm.values().size());
    std::mutex lock;
    const TableLayout& table = source.table;
    forTablePieces(
        file, *source.hdu, table, job, "reading",
        [&](int64_t first, int64_t rows, const std::byte* bytes) {
            const auto [indices, real, imaginary] = pieceValues(source, first, rows, bytes);
            const std::lock_guard guard(lock);
            for (size_t i = 0; i < indices.size(); ++i) {
                const LM at = fromIndex(indices[i]);
                // m < 0 repeats the value of m > 0 for a real field.
                if (at.m < 0) continue;
                const auto place =
                    static_cast<size_t>(alm.index(static_cast<int>(at.l), static_cast<int>(at.m)));
                if (seen[place])
                    throw IoError("expected each index once, found " + std::to_string(indices[i]) +
                                  " twice");
                seen[place] = true;
                alm.values()[place] = {real[i], at.m == 0 ? 0.0 : imaginary[i]};
            }
        });
    return alm;
}

std::vector<AlmHdu> findAlmHdus(FitsFile& file, const std::optional<std::string>& selector) {
    std::vector<AlmHdu> found;
    const auto take = [&](const FitsHdu& hdu) {
        if (hdu.type != HduType::BinaryTable) return false;
        TableLayout table = tableLayout(file, hdu);
        if (!isAlmTable(hdu, table)) return false;
        const int64_t repeat = table.columns[0].repeat;
        if (table.columns[1].repeat != repeat || table.columns[2].repeat != repeat) return false;
        found.push_back({&hdu, std::move(table), 0, 0});
        return true;
    };
    if (selector) {
        const FitsHdu& hdu = file.selected(*selector);
        if (!take(hdu))
            refuse(file.path(), "alm (index, real, imaginary) in HDU " + *selector,
                   "another kind of table");
        return found;
    }
    for (int i = 1; found.size() < 3; ++i) {
        const FitsHdu* hdu = file.hdu(i);
        if (hdu == nullptr) break;
        if (!take(*hdu) && !found.empty()) break;
    }
    if (found.empty())
        refuse(file.path(), "a table of alm (index, real, imaginary)", describeHdus(file));
    return found;
}

// Row of (l, 0) when all l are written in turn, each with m from 0 to min(l, mmax).
int64_t rowOf(int64_t l, int64_t mmax) {
    if (l <= mmax + 1) return l * (l + 1) / 2;
    return (mmax + 1) * (mmax + 2) / 2 + (l - mmax - 1) * (mmax + 1);
}

// Layout of the rows of one set in a file.
struct AlmRows {
    AlmRows(int64_t lmaxOf, int64_t mmaxOf, bool isSingle)
        : lmax(lmaxOf),
          mmax(mmaxOf),
          narrow((lmax + 1) * (lmax + 1) <= std::numeric_limits<int32_t>::max()),
          single(isSingle),
          indexBytes(narrow ? 4 : 8),
          valueBytes(single ? 4 : 8),
          rowBytes(indexBytes + 2 * valueBytes),
          rows(rowOf(lmax + 1, mmax)) {}
    explicit AlmRows(const AlmFilePlan& plan)
        : AlmRows(plan.lmax, plan.mmax, plan.options.precision == StoredPrecision::Single) {}
    int64_t lmax, mmax;
    bool narrow, single;
    int64_t indexBytes, valueBytes, rowBytes, rows;

    // Number of degrees that make about 1 MB.
    int64_t grain() const {
        return std::max<int64_t>(1, (int64_t{1} << 20) / (rowBytes * (mmax + 1)));
    }
    // The bytes of some degrees; `at(l, m)` returns a coefficient.
    template <typename At>
    std::vector<std::byte> encoded(int64_t begin, int64_t end, const At& at) const {
        std::vector<std::byte> bytes(
            static_cast<size_t>((rowOf(end, mmax) - rowOf(begin, mmax)) * rowBytes));
        std::byte* to = bytes.data();
        for (int64_t l = begin; l < end; ++l)
            for (int64_t m = 0; m <= std::min(l, mmax); ++m, to += rowBytes) {
                const int64_t index = l * l + l + m + 1;
                const std::complex<double> value = at(l, m);
                if (narrow)
                    putBigEndian(static_cast<int32_t>(index), to);
                else
                    putBigEndian(index, to);
                for (const int part : {0, 1}) {
                    const double x = part == 0 ? value.real() : value.imag();
                    if (!putFinite(x, single, to + indexBytes + part * valueBytes))
                        refuseLarger(
                            "coefficients", single,
                            "ones at l = " + std::to_string(l) + ", m = " + std::to_string(m));
                }
            }
        return bytes;
    }
};

}  // namespace

void beginAlmHdu(FitsWriter& writer, const AlmFilePlan& plan) {
    static constexpr std::array<const char*, 3> kNames = {"TEMPERATURE", "GRADIENT", "CURL"};
    const AlmRows rows(plan);
    FitsCards cards;
    cards.table(rows.rowBytes, rows.rows, 3);
    const std::string form = rows.single ? "1E" : "1D";
    cards.text("TTYPE1", "INDEX", "l^2+l+m+1");
    cards.text("TFORM1", rows.narrow ? "1J" : "1K");
    cards.text("TTYPE2", "REAL");
    cards.text("TFORM2", form);
    cards.text("TTYPE3", "IMAG");
    cards.text("TFORM3", form);
    if (!plan.labels.unit.empty()) {
        cards.text("TUNIT2", plan.labels.unit);
        cards.text("TUNIT3", plan.labels.unit);
    }
    cards.text("EXTNAME", kNames[plan.set + (plan.sets == 2 ? 1 : 0)]);
    if (plan.labels.spin > 0)
        cards.integer("SPIN", plan.labels.spin, "spin of the field of GRADIENT and CURL");
    cards.integer("MAX-LPOL", plan.lmax, "maximum l");
    cards.integer("MAX-MPOL", plan.mmax, "maximum m");
    if (const char letter = frameLetter(plan.labels.frame); letter != 0)
        cards.text("COORDSYS", std::string(1, letter), "G Galactic, E ecliptic, C equatorial");
    cards.date();
    for (const std::string& line : plan.options.history) cards.commentary("HISTORY", line);
    writer.beginHdu(cards, rows.rows * rows.rowBytes);
}

uint32_t writeAlmPart(const FilePart& file, const AlmFilePlan& plan, int begin, int end,
                      std::span<const std::complex<double>> values, JobContext& job) {
    const AlmRows rows(plan);
    FilePartWriter writer(file);
    const int64_t before = rowOf(begin, rows.mmax);
    ARMILLA_ASSERT(static_cast<int64_t>(values.size()) == rowOf(end, rows.mmax) - before);
    parallelFor(job, end - begin, rows.grain(), [&](long long first, long long last) {
        const auto bytes = rows.encoded(begin + first, begin + last, [&](int64_t l, int64_t m) {
            return values[static_cast<size_t>(rowOf(l, rows.mmax) + m - before)];
        });
        writer.write(rowOf(begin + first, rows.mmax) * rows.rowBytes, bytes);
    });
    return writer.finish();
}

namespace {

void writeOne(FitsWriter& writer, const Alm& alm, const AlmFilePlan& plan, JobContext& job) {
    const AlmRows rows(plan);
    beginAlmHdu(writer, plan);
    parallelFor(
        job, rows.lmax + 1, rows.grain(),
        [&](long long begin, long long end) {
            writer.writeData(rowOf(begin, rows.mmax) * rows.rowBytes,
                             rows.encoded(begin, end, [&](int64_t l, int64_t m) {
                                 return alm(static_cast<int>(l), static_cast<int>(m));
                             }));
        },
        "writing");
    writer.endHdu();
}

// Missing entries are zero, but a table that lacks nearly all entries of a huge set has a damaged
// index.
void requireRows(const std::string& path, std::span<const AlmHdu> hdus, int64_t lmax,
                 int64_t mmax) {
    const int64_t count = Alm::count(lmax, mmax);
    int64_t rows = 0;
    for (const AlmHdu& alm : hdus)
        rows = std::max(rows, alm.table.rows * alm.table.columns[0].repeat);
    constexpr int64_t kModest = int64_t{1} << 24;
    if (count > kModest && count / 100 > rows)
        refuse(path,
               "rows for at least a hundredth of the " + std::to_string(count) +
                   " coefficients up to l = " + std::to_string(lmax),
               std::to_string(rows) + " rows");
}

// The spin that a pair of sets states; 0 if it states none. One or three sets have no spin.
int spinOf(const std::string& path, std::span<const AlmHdu> hdus) {
    constexpr int64_t kMostSpin = 3;
    if (hdus.size() != 2) return 0;
    std::optional<int64_t> spin;
    for (const AlmHdu& alm : hdus) {
        const FitsHeader& header = alm.hdu->header;
        const auto stated = header.has("SPIN") ? header.integer("SPIN") : std::optional<int64_t>(0);
        if (!stated || *stated < 0 || *stated > kMostSpin)
            refuse(path, "a SPIN from 0 to 3", header.text("SPIN").value_or("none"));
        if (spin && *spin != *stated)
            refuse(path, "one SPIN of both sets",
                   std::to_string(*spin) + " and " + std::to_string(*stated));
        spin = stated;
    }
    return static_cast<int>(spin.value_or(0));
}

std::vector<Alm> readAlmFrom(const FilePath& where, JobContext& job, int* spin) {
    FitsFile file(where.path, job.stopToken());
    file.unpack(job);
    std::vector<AlmHdu> hdus = findAlmHdus(file, where.hdu);
    int64_t lmax = 0, mmax = 0;
    const auto share = 0.5 / static_cast<double>(hdus.size());
    for (size_t i = 0; i < hdus.size(); ++i) {
        JobContext part =
            job.part(share * static_cast<double>(i), share * static_cast<double>(i + 1));
        findLimits(file, hdus[i], part);
        lmax = std::max(lmax, hdus[i].lmax);
        mmax = std::max(mmax, hdus[i].mmax);
    }
    requireRows(file.path(), hdus, lmax, mmax);
    if (spin != nullptr) *spin = spinOf(file.path(), hdus);
    const int64_t count = Alm::count(lmax, mmax);
    requireMemory(file.path(), count * static_cast<int64_t>(16 * hdus.size() + 1));
    std::vector<Alm> result;
    for (size_t i = 0; i < hdus.size(); ++i) {
        const double begin = 0.5 + share * static_cast<double>(i);
        JobContext part = job.part(begin, begin + share);
        result.push_back(
            readOne(file, hdus[i], static_cast<int>(lmax), static_cast<int>(mmax), part));
    }
    file.verifyRest(job);
    job.report(1.0, "reading");
    return result;
}

}  // namespace

std::vector<Alm> readAlm(const std::string& path, JobContext& job, int* spin) {
    const FilePath where = parseFilePath(path);
    return orOutOfMemory(where.path, [&] { return readAlmFrom(where, job, spin); });
}

void writeAlm(const std::vector<Alm>& alm, const std::string& path, const FileWriteOptions& options,
              JobContext& job, const AlmLabels& labels) {
    if (alm.empty() || alm.size() > 3)
        throw InvalidArgument("expected alm of T, or of T, E and B, found " +
                              std::to_string(alm.size()) + " sets");
    if (labels.spin > 0 && alm.size() != 2)
        throw InvalidArgument("expected gradient and curl coefficients of a spin field, found " +
                              std::to_string(alm.size()) + " sets");
    for (const Alm& one : alm)
        if (one.lmax() < 0)
            throw InvalidArgument("expected alm with at least l = 0, found empty ones");
    FitsWriter writer(path, options.overwrite);
    writer.writeEmptyPrimary();
    const double share = 1.0 / static_cast<double>(alm.size());
    for (size_t i = 0; i < alm.size(); ++i) {
        JobContext part =
            job.part(share * static_cast<double>(i), share * static_cast<double>(i + 1));
        writeOne(writer, alm[i], {alm[i].lmax(), alm[i].mmax(), i, alm.size(), labels, options},
                 part);
    }
    job.report(1.0, "writing");
    writer.commit(job);
}

struct AlmPartReader::State {
    State(const FilePath& where, JobContext& job) : file(where.path, job.stopToken()) {
        plain = file.randomAccess();
        file.unpack(job);
        hdus = findAlmHdus(file, where.hdu);
    }
    FitsFile file;
    bool plain = false;
    std::vector<AlmHdu> hdus;
};

AlmPartReader::AlmPartReader(const std::string& path, JobContext& job)
    : state_(std::make_unique<State>(parseFilePath(path), job)) {
    for (const AlmHdu& alm : state_->hdus) state_->file.requireData(*alm.hdu);
}
AlmPartReader::~AlmPartReader() = default;

bool AlmPartReader::inParts() const {
    return state_->plain;
}
size_t AlmPartReader::sets() const {
    return state_->hdus.size();
}
int64_t AlmPartReader::rows(size_t set) const {
    return state_->hdus[set].table.rows;
}
int64_t AlmPartReader::headerLmax() const {
    int64_t lmax = 0;
    for (const AlmHdu& alm : state_->hdus)
        lmax = std::max(lmax, alm.hdu->header.integer("MAX-LPOL").value_or(0));
    return lmax;
}
int64_t AlmPartReader::headerMmax() const {
    int64_t mmax = 0;
    for (const AlmHdu& alm : state_->hdus)
        mmax = std::max(mmax, alm.hdu->header.integer("MAX-MPOL").value_or(0));
    return mmax;
}

void AlmPartReader::checkLimits(int64_t lmax, int64_t mmax) const {
    requireLimits(state_->file.path(), lmax, mmax);
    requireRows(state_->file.path(), state_->hdus, lmax, mmax);
}

AlmPartReader::Rows AlmPartReader::read(size_t set, int64_t first, int64_t count, JobContext& job) {
    const AlmHdu& source = state_->hdus[set];
    const int64_t repeat = source.table.columns[0].repeat, rowBytes = source.table.rowBytes;
    Rows all{newVector<int32_t>(count * repeat, job), newVector<int32_t>(count * repeat, job),
             newVector<std::complex<double>>(count * repeat, job)};
    constexpr int64_t kPieceBytes = 1 << 20;
    const int64_t grain = std::max<int64_t>(1, kPieceBytes / std::max<int64_t>(1, rowBytes));
    parallelFor(job, count, grain, [&](long long begin, long long end) {
        std::vector<std::byte> bytes(static_cast<size_t>((end - begin) * rowBytes));
        state_->file.readData(*source.hdu, (first + begin) * rowBytes, bytes);
        const PieceValues piece = pieceValues(source, first + begin, end - begin, bytes.data());
        for (size_t i = 0; i < piece.indices.size(); ++i) {
            const LM at = fromIndex(piece.indices[i]);
            const size_t to = static_cast<size_t>(begin * repeat) + i;
            all.l[to] = static_cast<int32_t>(at.l);
            all.m[to] = static_cast<int32_t>(at.m);
            all.values[to] = {piece.real[i], at.m == 0 ? 0.0 : piece.imaginary[i]};
        }
    });
    return all;
}

}  // namespace armilla
