// SPDX-License-Identifier: GPL-3.0-or-later
#include "fits_writer.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "armilla/core/environment.h"
#include "armilla/core/error.h"
#include "big_endian.h"
#include "fits_header.h"
#include "unpack_tiles.h"

namespace armilla {

void refuseLarger(const std::string& what, bool single, const std::string& found) {
    throw InvalidArgument("expected " + what + " within " + (single ? "single" : "double") +
                          " precision, found larger " + found);
}

namespace {

constexpr size_t kBlock = 2880;
constexpr std::string_view kNoChecksum = "0000000000000000";

// FITS 4.0, appendix J.2: the 32-bit value as 16 letters and digits.
std::string encodeChecksum(uint32_t value) {
    std::array<char, 16> text{};
    for (int i = 0; i < 4; ++i) {
        const int byte = static_cast<int>((value >> (24 - 8 * i)) & 0xff);
        std::array<int, 4> letters;
        letters.fill(byte / 4 + '0');
        letters[0] += byte % 4;
        const auto excluded = [](int c) { return (c > '9' && c < 'A') || (c > 'Z' && c < 'a'); };
        for (bool again = true; again;) {
            again = false;
            for (size_t j = 0; j < 4; j += 2)
                if (excluded(letters[j]) || excluded(letters[j + 1])) {
                    ++letters[j];
                    --letters[j + 1];
                    again = true;
                }
        }
        for (size_t j = 0; j < 4; ++j)
            text[4 * j + static_cast<size_t>(i)] = static_cast<char>(letters[j]);
    }
    std::string rotated(16, ' ');
    for (size_t i = 0; i < 16; ++i) rotated[i] = text[(i + 15) % 16];
    return rotated;
}

// Symbols of texts for users, beside kExponentLetters: in units, angles, numbers.
constexpr AsciiSpelling kPlainLetters[] = {
    {"\xC2\xB5", "u"},     {"\xCE\xBC", "u"},      {"\xE2\x80\xB2", "'"}, {"\xE2\x80\xB3", "\""},
    {"\xC2\xB0", " deg"},  {"\xE2\x80\x93", "-"},  {"\xC2\xB7", "-"},     {"\xC3\x97", "x"},
    {"\xCF\x83", "sigma"}, {"\xE2\x80\xA6", "..."}};

}  // namespace

std::string fitsText(std::string_view text) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 32 && c < 127) {
            result += text[i];
        } else if (c >= 0xC0) {
            const AsciiSpelling* known = spellingAt(text.substr(i), kPlainLetters);
            if (known == nullptr) known = spellingAt(text.substr(i), kExponentLetters);
            result += known == nullptr ? "?" : known->plain;
        } else if (c < 32 || c == 127) {
            result += ' ';
        }
    }
    return result;
}

uint32_t onesComplementAdd(uint32_t a, uint32_t b) {
    const uint64_t sum = static_cast<uint64_t>(a) + b;
    return static_cast<uint32_t>((sum & 0xffffffff) + (sum >> 32));
}

namespace {

// The sum of big-endian words. Bytes of each place are summed in the halves of native words: more
// than twice as fast as a sum of swapped words, for which not every processor has vector
// instructions.
uint64_t sumOfWords(const std::byte* at, size_t words) {
    typedef uint32_t Words __attribute__((vector_size(16)));
    constexpr size_t kLanes = sizeof(Words) / sizeof(uint32_t), kStep = 2 * kLanes;
    // A half holds the sum of 256 bytes.
    constexpr size_t kTurns = 256;
    constexpr uint32_t kHalves = 0x00ff00ff;
    // Sums of bytes 0 to 3 of a word as it lies in memory.
    std::array<uint64_t, 4> places{};
    size_t done = 0;
    while (std::endian::native == std::endian::little && words - done >= kStep) {
        const size_t turns = std::min(kTurns, (words - done) / kStep);
        std::array<Words, 2> even{}, odd{};
        for (size_t turn = 0; turn < turns; ++turn, done += kStep)
            for (size_t k = 0; k < 2; ++k) {
                Words block;
                std::memcpy(&block, at + 4 * (done + k * kLanes), sizeof(block));
                even[k] += block & kHalves;
                odd[k] += block >> 8 & kHalves;
            }
        for (size_t k = 0; k < 2; ++k)
            for (size_t lane = 0; lane < kLanes; ++lane) {
                places[0] += even[k][lane] & 0xffff;
                places[1] += odd[k][lane] & 0xffff;
                places[2] += even[k][lane] >> 16;
                places[3] += odd[k][lane] >> 16;
            }
    }
    uint64_t sum = (places[0] << 24) + (places[1] << 16) + (places[2] << 8) + places[3];
    for (; done < words; ++done) sum += bigEndian<uint32_t>(at + 4 * done);
    return sum;
}

}  // namespace

uint32_t onesComplementSum(std::span<const std::byte> bytes, int64_t offset) {
    uint64_t sum = 0;
    size_t i = 0;
    const auto single = [&] {
        const int place = static_cast<int>((offset + static_cast<int64_t>(i)) & 3);
        sum += static_cast<uint64_t>(bytes[i]) << (8 * (3 - place));
        ++i;
    };
    while (i < bytes.size() && ((offset + static_cast<int64_t>(i)) & 3) != 0) single();
    const size_t words = (bytes.size() - i) / 4;
    sum += sumOfWords(bytes.data() + i, words);
    i += 4 * words;
    while (i < bytes.size()) single();
    while ((sum >> 32) != 0) sum = (sum & 0xffffffff) + (sum >> 32);
    return static_cast<uint32_t>(sum);
}

void FitsCards::raw(std::string_view card) {
    std::string line(card.substr(0, 80));
    line.resize(80, ' ');
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = ' ';
    // Cards carried from other files may violate the standard (section 4.1.2.1).
    std::string key = upperCase(cardKeyword(line));
    const bool isKeyword = std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || isDigit(c) || c == '-' || c == '_';
    });
    key.resize(8, ' ');
    line = isKeyword ? key + line.substr(8) : "COMMENT " + line.substr(0, 72);
    cards_.push_back(std::move(line));
}

void FitsCards::value(std::string_view key, const std::string& value, std::string_view comment) {
    std::string card(key);
    card.resize(8, ' ');
    card += "= " + value;
    if (!comment.empty() && card.size() + 3 < 80) card += " / " + fitsText(comment);
    raw(card);
}

void FitsCards::logical(std::string_view key, bool yes, std::string_view comment) {
    value(key, std::string(19, ' ') + (yes ? "T" : "F"), comment);
}

void FitsCards::integer(std::string_view key, int64_t number, std::string_view comment) {
    std::string digits = std::to_string(number);
    if (digits.size() < 20) digits.insert(0, 20 - digits.size(), ' ');
    value(key, digits, comment);
}

void FitsCards::real(std::string_view key, double number, std::string_view comment) {
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    std::string digits(buffer.data(), end);
    for (char& c : digits) c = c == 'e' ? 'E' : c;
    // A real must not look like an integer.
    if (digits.find_first_of(".E") == std::string::npos) digits += ".0";
    if (digits.size() < 20) digits.insert(0, 20 - digits.size(), ' ');
    value(key, digits, comment);
}

void FitsCards::text(std::string_view key, std::string_view string, std::string_view comment) {
    std::string field;
    for (const char c : fitsText(string)) {
        const size_t room = c == '\'' ? 2 : 1;
        if (field.size() + room > 68) break;
        field += c;
        if (c == '\'') field += c;
    }
    // At least eight characters, as the standard requires for XTENSION and old readers for all
    // strings.
    while (field.size() < 8) field += ' ';
    std::string quotedField = "'" + field + "'";
    if (quotedField.size() < 20) quotedField.resize(20, ' ');
    value(key, quotedField, comment);
}

void FitsCards::commentary(std::string_view key, std::string_view string) {
    std::string rest = fitsText(string);
    std::string start(key);
    start.resize(8, ' ');
    do {
        raw(start + rest.substr(0, 72));
        rest.erase(0, 72);
    } while (!rest.empty());
}

void FitsCards::date() {
    const std::time_t now = environment().writingTime.value_or(std::time(nullptr));
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> buffer{};
    std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%S", &utc);
    text("DATE", buffer.data(), "time of writing (UTC)");
}

void FitsCards::table(int64_t rowBytes, int64_t rows, size_t columns,
                      std::string_view rowsComment) {
    text("XTENSION", "BINTABLE", "binary table extension");
    integer("BITPIX", 8);
    integer("NAXIS", 2);
    integer("NAXIS1", rowBytes, "bytes in a row");
    integer("NAXIS2", rows, rowsComment);
    integer("PCOUNT", 0);
    integer("GCOUNT", 1);
    integer("TFIELDS", static_cast<int64_t>(columns));
}

FitsWriter::FitsWriter(const std::string& path, bool overwrite, Access access) : path_(path) {
    requirePlainName(path);
    if (path != "-") file_.emplace(path, overwrite);
    if (path != "-" && !path.ends_with(".gz")) return;
    if (access == Access::Named) {
        ARMILLA_ASSERT(path != "-");
        named_.emplace(path, true);
        plain_ = fcntl(named_->descriptor(), F_DUPFD_CLOEXEC, 0);
        if (plain_ < 0)
            throw IoError(path + ": expected to write the file, found: " + std::strerror(errno));
    } else {
        plain_ = temporaryFile(path);
    }
}

std::string FitsWriter::temporary() const {
    return (named_ ? *named_ : *file_).temporary().string();
}

void FitsWriter::addSum(uint32_t sum) {
    const std::lock_guard lock(sumLock_);
    dataSum_ = onesComplementAdd(dataSum_, sum);
}

FitsWriter::~FitsWriter() {
    if (plain_ >= 0) close(plain_);
}

void writeFileAt(int file, int64_t offset, std::span<const std::byte> bytes,
                 const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t put = pwrite(file, bytes.data(), bytes.size(), offset);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0)
            throw IoError(path + ": expected to write the file, found: " +
                          (put < 0 ? std::strerror(errno) : "no progress"));
        offset += put;
        bytes = bytes.subspan(static_cast<size_t>(put));
    }
}

void FitsWriter::writeAt(int64_t offset, const void* bytes, size_t size) {
    writeFileAt(descriptor(), offset, {static_cast<const std::byte*>(bytes), size}, path_);
}

void FitsWriter::writeEmptyPrimary() {
    FitsCards cards;
    cards.logical("SIMPLE", true, "conforms to the FITS standard");
    cards.integer("BITPIX", 8);
    cards.integer("NAXIS", 0);
    cards.logical("EXTEND", true);
    beginHdu(cards, 0);
    endHdu();
}

void FitsWriter::beginHdu(const FitsCards& cards, int64_t dataBytes) {
    FitsCards complete = cards;
    complete.text("CHECKSUM", kNoChecksum, "checksum of the HDU");
    complete.text("DATASUM", "0", "checksum of the data");
    complete.raw("END");
    header_.clear();
    for (const std::string& card : complete.all()) header_ += card;
    header_.resize((header_.size() + kBlock - 1) / kBlock * kBlock, ' ');
    headerOffset_ = dataOffset_ + (dataBytes_ + static_cast<int64_t>(kBlock) - 1) /
                                      static_cast<int64_t>(kBlock) * static_cast<int64_t>(kBlock);
    dataOffset_ = headerOffset_ + static_cast<int64_t>(header_.size());
    dataBytes_ = dataBytes;
    dataSum_ = 0;
}

void FitsWriter::writeData(int64_t offset, std::span<const std::byte> bytes) {
    writeAt(dataOffset_ + offset, bytes.data(), bytes.size());
    addSum(onesComplementSum(bytes, offset));
}

void FitsWriter::endHdu(char padding) {
    const size_t rest = static_cast<size_t>(dataBytes_) % kBlock;
    if (rest != 0) {
        const std::vector<std::byte> filling(kBlock - rest, static_cast<std::byte>(padding));
        writeData(dataBytes_, filling);
    }
    const auto fill = [&](std::string_view key, const std::string& text) {
        size_t at = 0;
        while (header_.compare(at, 9, key) != 0) at += 80;
        header_.replace(at + 11, text.size(), text);
    };
    std::string sum = std::to_string(dataSum_) + "'";
    sum.resize(18, ' ');
    fill("DATASUM =", sum);
    const auto headerBytes = std::as_bytes(std::span(header_));
    const uint32_t total = onesComplementAdd(dataSum_, onesComplementSum(headerBytes, 0));
    fill("CHECKSUM=", encodeChecksum(~total));
    writeAt(headerOffset_, header_.data(), header_.size());
}

namespace {

// Bytes of a file from `at` on; 0 at its end.
size_t readPiece(int file, int64_t at, std::span<std::byte> out, const std::string& path) {
    for (;;) {
        const ssize_t got = pread(file, out.data(), out.size(), at);
        if (got >= 0) return static_cast<size_t>(got);
        if (errno != EINTR)
            throw IoError(path +
                          ": expected to read the temporary file, found: " + std::strerror(errno));
    }
}

void writePiece(int file, std::span<const std::byte> bytes, const std::string& path) {
    for (size_t done = 0; done < bytes.size();) {
        const ssize_t put = write(file, bytes.data() + done, bytes.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0)
            throw IoError(path + ": expected to write the file, found: " + std::strerror(errno));
        done += static_cast<size_t>(put);
    }
}

constexpr size_t kPiece = size_t{1} << 18;
std::atomic<bool> standardOutputTaken{false};

}  // namespace

void FitsWriter::copyInto(int out, const JobContext& job) {
    std::vector<std::byte> piece(kPiece);
    for (int64_t at = 0;;) {
        job.poll();
        const size_t got = readPiece(plain_, at, piece, path_);
        if (got == 0) return;
        writePiece(out, std::span(piece).first(got), path_);
        at += static_cast<int64_t>(got);
    }
}

void FitsWriter::packInto(int out, const JobContext& job) {
    z_stream stream{};
    // 15 + 16: the largest window, a gzip header. Level 4, because higher levels gain little for
    // floating-point numbers.
    if (deflateInit2(&stream, 4, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw OutOfMemory(path_ + ": expected memory to pack the file, found too little");
    const auto close = [](z_stream* open) { deflateEnd(open); };
    const std::unique_ptr<z_stream, decltype(close)> owner(&stream, close);
    gz_header header{};  // neither time nor name, so that equal content gives equal bytes
    header.os = 255;
    deflateSetHeader(&stream, &header);
    std::vector<std::byte> piece(kPiece), packed(kPiece);
    for (int64_t at = 0;;) {
        job.poll();
        const size_t got = readPiece(plain_, at, piece, path_);
        at += static_cast<int64_t>(got);
        stream.next_in = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_in = static_cast<uInt>(got);
        const int flush = got == 0 ? Z_FINISH : Z_NO_FLUSH;
        int status = Z_OK;
        do {
            stream.next_out = reinterpret_cast<Bytef*>(packed.data());
            stream.avail_out = static_cast<uInt>(packed.size());
            status = deflate(&stream, flush);
            writePiece(out, std::span(packed).first(packed.size() - stream.avail_out), path_);
        } while (stream.avail_out == 0);
        if (status == Z_STREAM_END) return;
    }
}

bool standardOutputHoldsFile() noexcept {
    return standardOutputTaken;
}

void FitsWriter::commit(const JobContext& job) {
    if (!file_) {
        standardOutputTaken = true;
        return copyInto(STDOUT_FILENO, job);
    }
    if (plain_ >= 0) packInto(file_->descriptor(), job);
    file_->commit();
}

}  // namespace armilla
