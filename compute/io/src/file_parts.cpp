// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/io/file_parts.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "armilla/core/error.h"
#include "file_part_writer.h"

namespace armilla {

MapOutline outlineOf(int64_t nside, Ordering ordering, Frame frame,
                     const std::vector<Field>& fields) {
    constexpr size_t kPixels = 12;  // pixels of a map of nside 1
    std::vector<Field> like;
    for (const Field& field : fields) {
        Field each{field.name, field.unit, field.diskType, std::vector<float>(kPixels)};
        if (!field.isSingle()) each.values = std::vector<double>(kPixels);
        like.push_back(std::move(each));
    }
    return {nside, Coverage::Full, HealpixMap(1, ordering, frame, std::move(like))};
}

FilePartWriter::FilePartWriter(FilePart file)
    : file_(std::move(file)), descriptor_(open(file_.temporary.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (descriptor_ < 0)
        throw IoError(file_.path +
                      ": expected a folder that all ranks see, found: " + std::strerror(errno));
    rememberUnfinishedFile(file_.temporary);
    if (!file_.packed.empty()) rememberUnfinishedFile(file_.packed);
}

FilePartWriter::~FilePartWriter() {
    if (descriptor_ >= 0) close(descriptor_);
}

void FilePartWriter::write(int64_t offset, std::span<const std::byte> bytes) {
    writeFileAt(descriptor_, file_.offset + offset, bytes, file_.path);
    const uint32_t sum = onesComplementSum(bytes, offset);
    const std::lock_guard hold(lock_);
    sum_ = onesComplementAdd(sum_, sum);
}

uint32_t FilePartWriter::finish() {
    const bool synced = fsync(descriptor_) == 0;
    const int reason = errno;
    const bool closed = close(std::exchange(descriptor_, -1)) == 0;
    if (!synced || !closed)
        throw IoError(file_.path + ": expected to write the file, found: " +
                      std::strerror(synced ? errno : reason));
    return sum_;
}

struct SharedFile::State {
    State(const std::string& name, bool overwrite)
        : path(name), writer(name, overwrite, FitsWriter::Access::Named) {}
    FilePart present() const {
        return {path, writer.temporary(), writer.packed(), writer.dataOffset()};
    }
    std::string path;
    FitsWriter writer;
};

SharedFile::SharedFile(const std::string& path, bool overwrite)
    : state_(std::make_unique<State>(path, overwrite)) {}
SharedFile::~SharedFile() = default;

FilePart SharedFile::begin(const MapFilePlan& plan) {
    state_->writer.writeEmptyPrimary();
    beginMapHdu(state_->writer, plan);
    return state_->present();
}

FilePart SharedFile::begin(const AlmFilePlan& plan) {
    if (plan.set == 0) state_->writer.writeEmptyPrimary();
    beginAlmHdu(state_->writer, plan);
    return state_->present();
}

void SharedFile::end(std::span<const uint32_t> sums) {
    for (const uint32_t sum : sums) state_->writer.addSum(sum);
    state_->writer.endHdu();
}

void SharedFile::commit(JobContext& job) {
    state_->writer.commit(job);
}

}  // namespace armilla
