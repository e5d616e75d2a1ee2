// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/io/map_means.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "armilla/core/environment.h"
#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/one_field.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/io/atomic_file.h"
#include "armilla/io/pixel_blocks.h"
#include "byte_source.h"
#include "fits_file.h"

namespace armilla {

namespace {

namespace fs = std::filesystem;

constexpr int64_t kFinestMeans = 4096, kCoarsestMeans = 64;
constexpr int64_t kHeaderBytes = 4096;
constexpr int64_t kSampled = int64_t{1} << 18;  // values of the sample
constexpr const char* kMagic = "armilla means 1\n";

// The state of a file on which its means depend, and the field.
struct Source {
    std::string path;   // absolute
    std::string field;  // number of the HDU and name of the field
    int64_t bytes = 0, nanoseconds = 0;
    int64_t nside = 0;
    Ordering ordering = Ordering::Ring;

    // Lines of the header of the kept means.
    std::string text() const {
        return path + "\n" + field + "\n" + std::to_string(bytes) + "\n" +
               std::to_string(nanoseconds) + "\n" + std::to_string(nside) +
               (ordering == Ordering::Ring ? " RING\n" : " NESTED\n");
    }
};

// Sum of the words of some values, in order; detects damage.
uint64_t checksum(std::span<const float> values, uint64_t sum) {
    for (const float value : values) {
        uint32_t word = 0;
        std::memcpy(&word, &value, sizeof word);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15U;
        sum ^= sum >> 29;
    }
    return sum;
}

std::string hexadecimal(uint64_t number) {
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
    return text.data();
}

// Kept arrays: the sample, then means from the coarsest to the finest.
struct KeptPart {
    int64_t nside = 0;  // 0: the sample
    int64_t count = 0;
    int64_t offset = 0;
};
std::vector<KeptPart> keptParts(int64_t nside) {
    std::vector<KeptPart> parts{{0, std::min(kSampled, pixelCount(nside)), kHeaderBytes}};
    for (int64_t n = std::min(kCoarsestMeans, meansNside(nside)); n <= meansNside(nside); n *= 2)
        parts.push_back({n, pixelCount(n), parts.back().offset + 4 * parts.back().count});
    return parts;
}
int64_t sampleStep(int64_t nside) {
    return std::max<int64_t>(1, pixelCount(nside) / kSampled);
}

// The file of means in the cache folder.
class KeptMeans {
public:
    explicit KeptMeans(const Source& source) : source_(source) {
        const std::string& cache = environment().cacheFolder;
        if (cache.empty()) return;
        folder_ = fs::path(cache) / "means";
        uint64_t name = 0xcbf29ce484222325U;  // FNV-1a
        for (const char c : source.path + "\n" + source.field)
            name = (name ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        path_ = folder_ / (hexadecimal(name) + ".means");
    }

    // True if a file of means of this state exists.
    bool isPresent() const {
        std::error_code absent;
        if (path_.empty() || !fs::is_regular_file(path_, absent)) return false;
        const int descriptor = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor < 0) return false;
        const std::string expected = kMagic + source_.text();
        std::string found(expected.size(), 0);
        return plainByteSource(descriptor, path_.string())
                       ->readAt(0, std::as_writable_bytes(std::span(found))) == found.size() &&
               found == expected;
    }

    // One array; none if the file is absent, of another state of the map, or damaged. `note` then
    // says so.
    std::optional<std::vector<float>> read(const KeptPart& part, std::string& note,
                                           JobContext& job) const {
        std::error_code absent;
        if (path_.empty() || !fs::is_regular_file(path_, absent)) return std::nullopt;
        const int descriptor = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor < 0) return std::nullopt;
        const auto file = plainByteSource(descriptor, path_.string());
        std::array<char, kHeaderBytes> header{};
        const std::string expected = kMagic + source_.text();
        if (file->readAt(0, std::as_writable_bytes(std::span(header))) < header.size())
            return damaged(note);
        const std::string_view found(header.data(), header.size());
        if (!found.starts_with(kMagic)) return damaged(note);
        if (!found.starts_with(expected)) {
            note = "the file has changed: its means are made anew";
            return std::nullopt;
        }
        std::vector<float> values = newVector<float>(part.count, job);
        uint64_t sum = 0;
        const int64_t step = int64_t{1} << 20;
        for (int64_t first = 0; first < part.count; first += step) {
            job.report(static_cast<double>(first) / static_cast<double>(part.count),
                       "reading means");
            const auto piece =
                std::span(values).subspan(static_cast<size_t>(first),
                                          static_cast<size_t>(std::min(step, part.count - first)));
            const auto bytes = std::as_writable_bytes(piece);
            if (file->readAt(part.offset + 4 * first, bytes) < bytes.size()) return damaged(note);
            sum = checksum(piece, sum);
        }
        const std::string line = "\n" + std::to_string(part.nside) + " " + hexadecimal(sum) + "\n";
        if (found.find(line, expected.size() - 1) == found.npos) return damaged(note);
        return values;
    }

    // Keeps all arrays. Means are optional: without room on the disk, none are kept.
    void write(const std::vector<KeptPart>& parts, const std::vector<std::vector<float>>& arrays,
               std::string& note, JobContext& job) const {
        if (path_.empty()) return;
        try {
            fs::create_directories(folder_);
            removeOfGoneFiles();
            AtomicFile file(path_, true);
            std::string header = kMagic + source_.text();
            for (size_t i = 0; i < parts.size(); ++i) {
                const auto bytes = std::as_bytes(std::span(arrays[i]));
                const size_t step = size_t{1} << 24;
                for (size_t at = 0; at < bytes.size(); at += step) {
                    job.poll();
                    writeAll(file.descriptor(),
                             bytes.subspan(at, std::min(step, bytes.size() - at)),
                             parts[i].offset + static_cast<int64_t>(at));
                }
                header += std::to_string(parts[i].nside) + " " +
                          hexadecimal(checksum(arrays[i], 0)) + "\n";
            }
            if (std::ssize(header) > kHeaderBytes)
                throw IoError("expected a shorter path of the map, found a longer one");
            header.resize(kHeaderBytes, '\n');
            writeAll(file.descriptor(), std::as_bytes(std::span(header)), 0);
            file.commit();
        } catch (const fs::filesystem_error& error) {
            note = std::string("means are not kept: ") + error.code().message();
        } catch (const IoError& error) {
            note = std::string("means are not kept: ") + error.what();
        }
    }

private:
    static std::nullopt_t damaged(std::string& note) {
        note = "the kept means are damaged: they are made anew";
        return std::nullopt;
    }
    void writeAll(int descriptor, std::span<const std::byte> bytes, int64_t offset) const {
        while (!bytes.empty()) {
            const ssize_t put = pwrite(descriptor, bytes.data(), bytes.size(), offset);
            if (put < 0 && errno == EINTR) continue;
            if (put < 0)
                throw IoError(path_.string() +
                              ": expected to write the file, found: " + std::strerror(errno));
            bytes = bytes.subspan(static_cast<size_t>(put));
            offset += put;
        }
    }
    // Removes the means of maps that no longer exist.
    void removeOfGoneFiles() const {
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored)) {
            if (entry.path().extension() != ".means") continue;
            const int descriptor = open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
            if (descriptor < 0) continue;
            std::array<char, kHeaderBytes> header{};
            const auto file = plainByteSource(descriptor, entry.path().string());
            const size_t got = file->readAt(0, std::as_writable_bytes(std::span(header)));
            std::string_view text(header.data(), got);
            if (!text.starts_with(kMagic)) continue;
            text.remove_prefix(std::strlen(kMagic));
            if (!fs::exists(std::string(text.substr(0, text.find('\n'))), ignored))
                fs::remove(entry.path(), ignored);
        }
    }

    Source source_;
    fs::path folder_, path_;
};

// Reads the map and adds its pixels to the means and the sample.
class MeansBuilder {
public:
    MeansBuilder(MapPartReader& reader, JobContext& job)
        : reader_(reader),
          nside_(reader.outline().nside),
          ratio_(nside_ / meansNside(nside_)),
          step_(sampleStep(nside_)) {
        const int64_t count = pixelCount(meansNside(nside_));
        // Sums and numbers of pixels, then also the arrays of means.
        requireMemory("means of nside " + std::to_string(meansNside(nside_)), 16 * count);
        sums_ = newVector<double>(count, job);
        good_ = newVector<uint16_t>(count, job);
        sample_.reserve(static_cast<size_t>(kSampled));
    }

    // One array for each part.
    std::vector<std::vector<float>> make(const std::vector<KeptPart>& parts, JobContext& job) {
        const Ordering ordering = reader_.outline().like.ordering();
        const std::vector<ElementRun> blocks = pixelBlocks(nside_, ordering);
        for (size_t i = 0; i < blocks.size(); ++i) {
            job.report(static_cast<double>(i) / static_cast<double>(blocks.size()), "averaging");
            JobContext silent(job.stopToken(), {}, job.threads());
            const Field field = readPixelBlock(reader_, ordering, blocks[i], silent).front();
            std::visit([&](const auto& values) { add(values, blocks[i].first, ordering); },
                       field.values);
        }
        std::vector<std::vector<float>> arrays(parts.size());
        arrays.front() = std::move(sample_);
        std::vector<float>& finest = arrays.back();
        finest = newVector<float>(parts.back().count, job);
        for (size_t i = 0; i < finest.size(); ++i)
            finest[i] = good_[i] == 0 ? std::numeric_limits<float>::quiet_NaN()
                                      : toSingle(sums_[i] / static_cast<double>(good_[i]));
        // Coarser means are those of all good pixels, not means of means.
        std::vector<uint32_t> good;
        for (size_t part = parts.size() - 2; part > 0; --part) {
            arrays[part] = newVector<float>(parts[part].count, job);
            if (good.empty()) {
                good = newVector<uint32_t>(parts[part].count, job);
                coarsen(good_, good, arrays[part], job);
                good_ = {};
            } else {
                coarsen(good, good, arrays[part], job);
            }
        }
        return arrays;
    }

private:
    static float toSingle(double value) {
        constexpr double kMost = std::numeric_limits<float>::max();
        return static_cast<float>(std::clamp(value, -kMost, kMost));
    }
    // Sums and numbers of pixels of the next coarser means, in place of the finer ones.
    template <class Good>
    void coarsen(const std::vector<Good>& finer, std::vector<uint32_t>& good,
                 std::vector<float>& means, const JobContext& job) {
        for (size_t i = 0; i < means.size(); ++i) {
            if (i % (size_t{1} << 20) == 0) job.poll();
            double sum = 0.0;
            uint32_t count = 0;
            for (size_t k = 4 * i; k < 4 * i + 4; ++k) {
                sum += sums_[k];
                count += finer[k];
            }
            sums_[i] = sum;
            good[i] = count;
            means[i] = count == 0 ? std::numeric_limits<float>::quiet_NaN()
                                  : toSingle(sum / static_cast<double>(count));
        }
    }
    void addTo(int64_t mean, double value) {
        if (!std::isfinite(value)) return;
        sums_[static_cast<size_t>(mean)] += value;
        ++good_[static_cast<size_t>(mean)];
    }
    template <class T>
    void add(const std::vector<T>& values, int64_t first, Ordering ordering) {
        const auto count = static_cast<int64_t>(values.size());
        for (int64_t p = (first + step_ - 1) / step_ * step_;
             p < first + count && std::ssize(sample_) < kSampled; p += step_)
            sample_.push_back(
                toSample(static_cast<double>(values[static_cast<size_t>(p - first)])));
        const int64_t means = nside_ / ratio_;
        if (ordering == Ordering::Nested) {
            const int64_t children = ratio_ * ratio_;
            for (int64_t i = 0; i < count; ++i)
                addTo((first + i) / children, static_cast<double>(values[static_cast<size_t>(i)]));
            return;
        }
        for (int64_t done = 0; done < count;) {
            const RingRun run = ringRun(nside_, ringPlaceFromRing(nside_, first + done));
            const int64_t length = std::min(run.length, count - done);
            for (int64_t k = 0; k < length; ++k)
                addTo(nestedFromFace(means, {run.first.face, (run.first.x + k) / ratio_,
                                             (run.first.y - k) / ratio_}),
                      static_cast<double>(values[static_cast<size_t>(done + k)]));
            done += length;
        }
    }
    static float toSample(double value) {
        return std::isfinite(value) ? toSingle(value) : std::numeric_limits<float>::quiet_NaN();
    }

    MapPartReader& reader_;
    int64_t nside_, ratio_, step_;
    std::vector<double> sums_;
    std::vector<uint16_t> good_;
    std::vector<float> sample_;
};

Source sourceOf(const std::string& path, const MapReadOptions& options,
                const MapPartReader& reader) {
    const FilePath where = parseFilePath(path);
    Source source;
    std::error_code failure;
    source.path = fs::canonical(where.path, failure).string();
    struct stat state {};
    if (failure || stat(source.path.c_str(), &state) != 0)
        throw IoError(where.path + ": expected a file that can be read, found none");
    const HealpixMap& like = reader.outline().like;
    // Fields of one name differ in what was asked for.
    source.field = where.hdu.value_or("") + " " + like.field(0).name + " " + like.field(0).unit +
                   " " + (options.fields.empty() ? "" : options.fields.front());
    std::replace(source.field.begin(), source.field.end(), '\n', ' ');
    source.bytes = state.st_size;
    source.nanoseconds = int64_t{state.st_mtim.tv_sec} * 1000000000 + state.st_mtim.tv_nsec;
    source.nside = reader.outline().nside;
    source.ordering = like.ordering();
    return source;
}

void requireParts(const std::string& path, const MapPartReader& reader) {
    if (!reader.inParts() || !isPowerOfTwoNside(reader.outline().nside))
        throw Unsupported(path +
                          ": expected a full map of nside 2^N in an uncompressed FITS table to "
                          "read means of a map that exceeds the memory, found another");
}

// Opens a file that may be of any format; null if it is no map in parts.
std::unique_ptr<MapPartReader> readerOf(const std::string& path, const MapReadOptions& options,
                                        JobContext& job) {
    try {
        auto reader = std::make_unique<MapPartReader>(path, options, job);
        if (!reader->inParts() || !isPowerOfTwoNside(reader->outline().nside)) return nullptr;
        return reader;
    } catch (const IoError&) {
        return nullptr;
    } catch (const InvalidArgument&) {
        return nullptr;
    }
}

HealpixMap nestedMap(const HealpixMap& like, int64_t nside, std::vector<float> values) {
    Field field{like.field(0).name, like.field(0).unit, DiskType::Float32, std::move(values)};
    HealpixMap map(nside, Ordering::Nested, like.frame(), oneField(std::move(field)));
    map.metadata() = like.metadata();
    return map;
}

HealpixMap sampleMap(const HealpixMap& like, const Source& source, std::vector<float> values) {
    std::vector<int64_t> pixels(values.size());
    for (size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<int64_t>(i) * sampleStep(source.nside);
    Field field{like.field(0).name, like.field(0).unit, like.field(0).diskType, std::move(values)};
    HealpixMap map = HealpixMap::partial(source.nside, source.ordering, like.frame(),
                                         std::move(pixels), oneField(std::move(field)));
    map.metadata() = like.metadata();
    return map;
}

// Mean of the good values of a run; NaN without any.
double meanOf(const Field& field, int64_t first, int64_t count) {
    double sum = 0.0;
    int64_t good = 0;
    for (int64_t i = first; i < first + count; ++i)
        if (const double value = field.at(i); std::isfinite(value)) {
            sum += value;
            ++good;
        }
    return good == 0 ? kNan : sum / static_cast<double>(good);
}

}  // namespace

int64_t meansNside(int64_t nside) {
    return std::clamp<int64_t>(nside / 4, 1, kFinestMeans);
}

bool exceedsMemory(const std::string& path, const MapReadOptions& options, int64_t memory,
                   int64_t more, JobContext& job) {
    const auto reader = readerOf(path, options, job);
    if (!reader) return false;
    const int64_t each = reader->outline().like.field(0).isSingle() ? 4 : 8;
    return (each + more) * pixelCount(reader->outline().nside) > memory;
}

bool keepsMeans(const std::string& path, const MapReadOptions& options, JobContext& job) {
    const auto reader = readerOf(path, options, job);
    return reader && KeptMeans(sourceOf(path, options, *reader)).isPresent();
}

MapMeans readMeans(const std::string& path, const MapReadOptions& options, int64_t nside,
                   JobContext& job) {
    MapPartReader reader(path, options, job);
    requireParts(path, reader);
    const Source source = sourceOf(path, options, reader);
    const HealpixMap& like = reader.outline().like;
    const std::vector<KeptPart> parts = keptParts(source.nside);
    const auto wanted = std::find_if(parts.begin() + 1, parts.end(),
                                     [&](const KeptPart& part) { return part.nside >= nside; });
    if (wanted == parts.end() || !isPowerOfTwoNside(nside))
        throw InvalidArgument("expected means of an nside 2^N of at most " +
                              std::to_string(meansNside(source.nside)) + ", found " +
                              std::to_string(nside));
    const KeptMeans kept(source);
    MapMeans result;
    JobContext reading = job.part(0.0, 0.05), making = job.part(0.05, 0.95);
    auto sample = kept.read(parts.front(), result.note, reading);
    auto values = sample ? kept.read(*wanted, result.note, reading) : std::nullopt;
    result.isKept = values.has_value();
    if (!values) {
        std::vector<std::vector<float>> arrays = MeansBuilder(reader, making).make(parts, making);
        if (sourceOf(path, options, reader).text() != source.text())
            throw IoError(path +
                          ": expected a file that stays the same, found one that changed "
                          "while its means were made");
        kept.write(parts, arrays, result.note, making);
        sample = std::move(arrays.front());
        values = std::move(arrays[static_cast<size_t>(wanted - parts.begin())]);
    }
    result.map = nestedMap(like, wanted->nside, std::move(*values));
    result.sample = sampleMap(like, source, std::move(*sample));
    job.report(1.0, "averaging");
    return result;
}

HealpixMap readSampledMap(const std::string& path, const MapReadOptions& options, JobContext& job) {
    MapPartReader reader(path, options, job);
    requireParts(path, reader);
    const int64_t nside = reader.outline().nside;
    JobContext silent(job.stopToken(), {}, job.threads());
    if (reader.outline().like.ordering() == Ordering::Nested) {
        constexpr int64_t kNested = 64, kRun = 1024;
        const int64_t coarse = std::min(kNested, nside),
                      children = (nside / coarse) * (nside / coarse);
        const int64_t run = std::min(kRun, children), cells = pixelCount(coarse);
        std::vector<ElementRun> runs;
        for (int64_t cell = 0; cell < cells; ++cell)
            runs.push_back({cell * children + (children - run) / 2, run});
        const Field read = reader.read(runs, silent).front();
        std::vector<float> values;
        for (int64_t cell = 0; cell < cells; ++cell)
            values.push_back(static_cast<float>(meanOf(read, cell * run, run)));
        return nestedMap(reader.outline().like, coarse, std::move(values));
    }
    constexpr int64_t kRings = 256;
    const int64_t coarse = std::min(kRings, nside), ratio = nside / coarse;
    std::vector<float> values(static_cast<size_t>(pixelCount(coarse)));
    for (int64_t ring = 1; ring < 4 * coarse; ++ring) {
        job.report(static_cast<double>(ring) / static_cast<double>(4 * coarse), "sampling");
        // Ring i of the coarse map has the latitude of ring i * ratio of the map.
        const int64_t length = ringLength(coarse, ring);
        const ElementRun run{detail::firstPixelOfRing(nside, ring * ratio), length * ratio};
        const Field read = reader.read(std::span(&run, 1), silent).front();
        for (int64_t place = 0; place < length; ++place) {
            // The middle of the coarse pixel, in pixels of the fine ring.
            const int64_t shift = detail::ringShift(coarse, ring);
            const int64_t begin = std::clamp<int64_t>(place * ratio + (shift - 1) * ratio / 2, 0,
                                                      length * ratio - ratio);
            const int64_t pixel =
                nestedFromRing(coarse, detail::firstPixelOfRing(coarse, ring) + place);
            values[static_cast<size_t>(pixel)] = static_cast<float>(meanOf(read, begin, ratio));
        }
    }
    return nestedMap(reader.outline().like, coarse, std::move(values));
}

}  // namespace armilla
