// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet/pages.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "parquet/codecs.h"

namespace armilla::parquet {

namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void refuseDamaged() {
    throw IoError("expected pages of a column, found a damaged or truncated file");
}

// Larger than any page that a writer of tables makes by default (1 MiB).
constexpr size_t kWindow = size_t{4} << 20U;
// Allocations below this size are not compared with the memory available.
constexpr size_t kSmall = size_t{64} << 20U;

void grow(std::unique_ptr<std::byte[]>& buffer, size_t& size, size_t needed) {
    if (needed <= size) return;
    if (needed > kSmall) requireMemory("page", static_cast<int64_t>(needed));
    buffer = std::make_unique_for_overwrite<std::byte[]>(needed);
    size = needed;
}

unsigned widthOf(int largest) {
    return static_cast<unsigned>(std::bit_width(static_cast<unsigned>(largest)));
}

// Removes the levels at the start of a page of version 1.
Levels takeLevels(Bytes& page, Encoding encoding, int largest, size_t count) {
    if (largest == 0) return {};
    const unsigned width = widthOf(largest);
    if (encoding == Encoding::BitPacked) {
        const size_t bytes = (count * width + 7) / 8;
        Levels levels = readBitPackedLevels(page, count, width);
        page = page.subspan(bytes);
        return levels;
    }
    uint32_t bytes = 0;
    if (encoding != Encoding::Rle || page.size() < sizeof bytes) refuseDamaged();
    std::memcpy(&bytes, page.data(), sizeof bytes);
    page = page.subspan(sizeof bytes);
    if (bytes > page.size()) refuseDamaged();
    Levels levels = readLevels(BitRuns(page.first(bytes), width), count);
    page = page.subspan(bytes);
    return levels;
}

}  // namespace

ChunkPages::ChunkPages(ByteSource& source, const Column& column, const Chunk& chunk, int64_t end)
    : source_(source),
      column_(column),
      chunk_(chunk),
      at_(chunk.dataOffset),
      end_(end),
      left_(chunk.values) {
    // Some writers state 0 for "no dictionary".
    if (chunk.dictionaryOffset > 0 && chunk.dictionaryOffset < at_) at_ = chunk.dictionaryOffset;
    if (at_ < 0 || at_ > end_) refuseDamaged();
}

Bytes ChunkPages::peek(size_t bytes) {
    if (bytes > static_cast<uint64_t>(end_ - at_)) refuseDamaged();
    if (windowLast_ - windowFirst_ < bytes) {
        const auto most = static_cast<uint64_t>(end_ - at_);
        // Not beyond the chunk, except for the wrong sizes of old writers.
        const uint64_t wanted = std::clamp<uint64_t>(
            static_cast<uint64_t>(std::max<int64_t>(0, chunk_.packedBytes)), 4096, kWindow);
        const size_t size = std::max<size_t>(bytes, std::min(most, wanted));
        grow(window_, windowSize_, size);
        windowFirst_ = 0;
        windowLast_ = source_.readAt(at_, std::span(window_.get(), size));
        if (windowLast_ < bytes) refuseDamaged();
    }
    return Bytes(window_.get() + windowFirst_, windowLast_ - windowFirst_);
}

PageHeader ChunkPages::takeHeader() {
    // Headers contain statistics, such as the smallest text of a page.
    constexpr uint64_t kLargestHeader = uint64_t{16} << 20U;
    const auto left = static_cast<uint64_t>(end_ - at_);
    if (left == 0) refuseDamaged();
    for (uint64_t size = 1024;; size *= 8) {
        const Bytes bytes = peek(std::min(size, left));
        try {
            PageHeader header;
            const size_t used = parsePageHeader(bytes, header);
            at_ += static_cast<int64_t>(used);
            windowFirst_ += used;
            return header;
        } catch (const IoError&) {
            // The header may continue behind the bytes.
            if (bytes.size() >= std::min(left, kLargestHeader)) throw;
        }
    }
}

Bytes ChunkPages::unpacked(Bytes packed, size_t bytes) {
    if (chunk_.codec == Codec::Uncompressed && packed.size() == bytes) return packed;
    grow(page_, pageSize_, bytes);
    unpackPage(chunk_.codec, packed, std::span(page_.get(), bytes));
    return Bytes(page_.get(), bytes);
}

Page ChunkPages::dataPage(const PageHeader& header, Bytes packed) {
    if (header.values > left_) refuseDamaged();
    left_ -= header.values;
    Page page;
    page.values = static_cast<size_t>(header.values);
    page.encoding = header.encoding;
    const auto bytes = static_cast<size_t>(header.bytes);
    if (header.kind == PageHeader::Kind::Data) {
        page.encoded = unpacked(packed, bytes);
        page.repetition =
            takeLevels(page.encoded, header.repetition, column_.maxRepetition, page.values);
        page.definition =
            takeLevels(page.encoded, header.definition, column_.maxDefinition, page.values);
        return page;
    }
    // Levels are not packed in version 2.
    const auto repetition = static_cast<size_t>(header.repetitionBytes),
               definition = static_cast<size_t>(header.definitionBytes);
    const size_t levels = repetition + definition;
    if (levels > packed.size() || levels > bytes) refuseDamaged();
    if (column_.maxRepetition > 0)
        page.repetition = readLevels(
            BitRuns(packed.first(repetition), widthOf(column_.maxRepetition)), page.values);
    if (column_.maxDefinition > 0)
        page.definition = readLevels(
            BitRuns(packed.subspan(repetition, definition), widthOf(column_.maxDefinition)),
            page.values);
    packed = packed.subspan(levels);
    page.encoded = header.isPacked ? unpacked(packed, bytes - levels) : packed;
    return page;
}

Page ChunkPages::next(size_t& skip) {
    while (true) {
        const PageHeader header = takeHeader();
        const auto size = static_cast<size_t>(header.packedBytes);
        const bool isData =
            header.kind == PageHeader::Kind::Data || header.kind == PageHeader::Kind::DataV2;
        if (isData && header.values > 0 && static_cast<size_t>(header.values) <= skip &&
            header.values <= left_ && size <= static_cast<uint64_t>(end_ - at_)) {
            skip -= static_cast<size_t>(header.values);
            left_ -= header.values;
            at_ += header.packedBytes;
            windowFirst_ = std::min(windowFirst_ + size, windowLast_);
            continue;
        }
        const Bytes packed = peek(size).first(size);
        at_ += header.packedBytes;
        windowFirst_ += size;
        if (header.kind == PageHeader::Kind::Index) continue;
        if (header.values < 0) refuseDamaged();
        if (header.hasChecksum &&
            crc32_z(0, reinterpret_cast<const Bytef*>(packed.data()), size) != header.checksum)
            throw IoError("expected a page with the checksum of its header, found a damaged page");
        if (isData) return dataPage(header, packed);
        if (header.kind != PageHeader::Kind::Dictionary) refuseDamaged();
        Page page;
        page.isDictionary = true;
        page.values = static_cast<size_t>(header.values);
        page.encoding = header.encoding;
        page.encoded = unpacked(packed, static_cast<size_t>(header.bytes));
        return page;
    }
}

}  // namespace armilla::parquet
