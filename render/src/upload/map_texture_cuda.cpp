// SPDX-License-Identifier: GPL-3.0-or-later
#include <epoxy/gl.h>
// clang-format off
#include <cuda_gl_interop.h>  // needs OpenGL's types, which epoxy must declare first
// clang-format on

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/picture_access.h"
#include "armilla/device/cuda/stream.h"
#include "cuda/project_cuda.h"
#include "gl/gl_handles.h"
#include "upload/cuda_painter.h"
#include "upload/upload_pieces.h"

namespace armilla {

namespace {

// A texture registered with CUDA.
class SharedTexture {
public:
    SharedTexture(int device, GLuint texture, GLenum target, unsigned flags) : device_(device) {
        const cuda::DeviceScope scope(device);
        cuda::check(cudaGraphicsGLRegisterImage(&resource_, texture, target, flags),
                    "sharing a texture with OpenGL");
    }
    // A 2D texture that kernels write.
    static SharedTexture surface(int device, GLuint texture) {
        return {device, texture, GL_TEXTURE_2D,
                cudaGraphicsRegisterFlagsSurfaceLoadStore | cudaGraphicsRegisterFlagsWriteDiscard};
    }
    // Faces that copies fill.
    static SharedTexture faces(int device, GLuint texture) {
        return {device, texture, GL_TEXTURE_2D_ARRAY, cudaGraphicsRegisterFlagsWriteDiscard};
    }
    ~SharedTexture() {
        if (resource_ != nullptr)
            cuda::onDevice(device_, "giving a shared texture back",
                           [&] { return cudaGraphicsUnregisterResource(resource_); });
    }
    SharedTexture(SharedTexture&& other) noexcept
        : device_(other.device_), resource_(std::exchange(other.resource_, nullptr)) {}
    SharedTexture& operator=(SharedTexture&&) = delete;
    SharedTexture(const SharedTexture&) = delete;
    SharedTexture& operator=(const SharedTexture&) = delete;
    cudaGraphicsResource_t resource() const { return resource_; }

private:
    int device_;
    cudaGraphicsResource_t resource_ = nullptr;
};

// During its lifetime, CUDA may write the texture and OpenGL must not.
class MappedTexture {
public:
    MappedTexture(const SharedTexture& texture, const cuda::Stream& stream)
        : resource_(texture.resource()), stream_(stream) {
        cuda::check(cudaGraphicsMapResources(1, &resource_, stream_.get()), "mapping a texture");
    }
    ~MappedTexture() {
        // Queued in the stream: OpenGL's next use of the texture waits for the picture.
        cuda::logFailure(cudaGraphicsUnmapResources(1, &resource_, stream_.get()),
                         "unmapping a texture");
    }
    MappedTexture(const MappedTexture&) = delete;
    MappedTexture& operator=(const MappedTexture&) = delete;
    cudaArray_t array(unsigned layer, unsigned level) const {
        cudaArray_t array = nullptr;
        cuda::check(cudaGraphicsSubResourceGetMappedArray(&array, resource_, layer, level),
                    "finding a mapped texture");
        return array;
    }

private:
    cudaGraphicsResource_t resource_;
    const cuda::Stream& stream_;
};

// Surfaces of pictures, each kept until its kernel has ended, without a wait.
class Surfaces {
public:
    explicit Surfaces(int device) : device_(device) {}
    ~Surfaces() { clear(); }
    Surfaces(const Surfaces&) = delete;
    Surfaces& operator=(const Surfaces&) = delete;

    // Calls write(surface), which queues work in `stream`. Throws also for faults of earlier
    // kernels.
    template <typename Write>
    void writeTo(cudaArray_t array, const cuda::Stream& stream, const Write& write) {
        freeUnused();
        cudaResourceDesc description{};
        description.resType = cudaResourceTypeArray;
        description.res.array.array = array;
        Held made{0, cuda::Event(device_)};
        cuda::check(cudaCreateSurfaceObject(&made.surface, &description), "making a surface");
        held_.push_back(std::move(made));
        write(held_.back().surface);
        held_.back().used.record(stream);
    }
    // Waits for the kernels that write the surfaces.
    void clear() noexcept {
        for (const Held& held : held_) {
            cuda::onDevice(device_, "waiting for a picture",
                           [&] { return cudaEventSynchronize(held.used.get()); });
            cuda::logFailure(cudaDestroySurfaceObject(held.surface), "freeing a surface");
        }
        held_.clear();
    }

private:
    struct Held {
        cudaSurfaceObject_t surface = 0;
        cuda::Event used;
    };
    void freeUnused() {
        while (!held_.empty()) {
            const cudaError_t status = cudaEventQuery(held_.front().used.get());
            if (status == cudaErrorNotReady) {
                cudaGetLastError();
                return;
            }
            cuda::check(status, "drawing the sky");
            cuda::logFailure(cudaDestroySurfaceObject(held_.front().surface), "freeing a surface");
            held_.pop_front();
        }
    }
    int device_;
    std::deque<Held> held_;
};

// The source that the painter draws from.
class PaintedMap : public CudaMap {
public:
    virtual cuda::FaceLevels faces() const = 0;  // faces copied so far
    virtual void beginDrawing(const cuda::Stream&) const {}
    virtual void endDrawing(const cuda::Stream&) {}
};

// A picture computed on this device.
class AdoptedMap : public PaintedMap {
public:
    explicit AdoptedMap(std::shared_ptr<DevicePicture> picture) : picture_(std::move(picture)) {}
    bool advance(const MapPyramid&, double) override { return true; }
    int64_t nside() const override { return picture_->nside(); }
    cuda::FaceLevels faces() const override {
        const DevicePicture::Owner& owner = picture_->owner();
        cuda::FaceLevels faces;
        faces.nside = owner.nside;
        faces.levels = static_cast<int>(owner.offsets.size());
        for (size_t i = 0; i < owner.offsets.size(); ++i) faces.level[i] = owner.level(i);
        return faces;
    }
    void beginDrawing(const cuda::Stream& stream) const override {
        picture_->owner().beginDrawing(stream);
    }
    void endDrawing(const cuda::Stream& stream) override { picture_->owner().endDrawing(stream); }

private:
    std::shared_ptr<DevicePicture> picture_;
};

class DeviceMap : public PaintedMap {
public:
    DeviceMap(int device, const cuda::Stream& stream, const MapPyramid& pyramid)
        : device_(device), stream_(stream), pieces_(pyramid), nside_(pyramid.nside()) {
        size_t count = 0;
        for (int i = 0; i < pyramid.levels(); ++i) {
            offsets_.push_back(count);
            count += pyramid.level(i).size();
        }
        values_ = cuda::DeviceBuffer<float>(device, count);
    }
    bool advance(const MapPyramid& pyramid, double seconds) override {
        const cuda::DeviceScope scope(device_);
        pieces_.advance(seconds, [&](const UploadPiece& piece) {
            const int64_t side = nside_ >> piece.level, at = piece.offset(side);
            cuda::check(
                cudaMemcpyAsync(values_.data() + offsets_[static_cast<size_t>(piece.level)] + at,
                                pyramid.level(piece.level).data() + at,
                                static_cast<size_t>(piece.count(side)) * sizeof(float),
                                cudaMemcpyHostToDevice, stream_.get()),
                "copying faces to the device");
            stream_.synchronize();  // so that the measured time is the time of the copy
        });
        return pieces_.done();
    }
    int64_t nside() const override { return nside_ >> pieces_.finest(); }
    cuda::FaceLevels faces() const override {
        cuda::FaceLevels faces;
        const auto first = static_cast<size_t>(pieces_.finest());
        faces.levels = static_cast<int>(offsets_.size() - first);
        faces.nside = nside();
        for (size_t i = first; i < offsets_.size(); ++i)
            faces.level[i - first] = values_.data() + offsets_[i];
        return faces;
    }

private:
    int device_;
    const cuda::Stream& stream_;
    UploadPieces pieces_;
    int64_t nside_;
    std::vector<size_t> offsets_;  // offset of each level
    cuda::DeviceBuffer<float> values_;
};

uchar4 bytes(Rgba c) {
    return make_uchar4(c.r, c.g, c.b, c.a);
}

class InteropPainter : public CudaPainter {
public:
    explicit InteropPainter(int device)
        : device_(device),
          stream_(device, cuda::Priority::High),
          surfaces_(device),
          table_(device, 256),
          cumulative_(device, 256) {}
    ~InteropPainter() override { finish(); }
    InteropPainter(const InteropPainter&) = delete;
    InteropPainter& operator=(const InteropPainter&) = delete;

    std::unique_ptr<CudaMap> upload(const MapPyramid& pyramid) override {
        const cuda::DeviceScope scope(device_);
        return std::make_unique<DeviceMap>(device_, stream_, pyramid);
    }

    void paint(CudaMap& map, const ViewGeometry& view, const ColorScale& scale,
               GLuint texture) override {
        const cuda::DeviceScope scope(device_);
        setColors(scale);
        auto& painted = static_cast<PaintedMap&>(map);
        const MappedTexture mapped(
            shared(texture, [&] { return SharedTexture::surface(device_, texture); }), stream_);
        painted.beginDrawing(stream_);
        surfaces_.writeTo(mapped.array(0, 0), stream_, [&](cudaSurfaceObject_t surface) {
            cuda::projectToSurface(view, painted.faces(), colors_, surface, stream_.get());
        });
        painted.endDrawing(stream_);
    }

    int device() const override { return device_; }
    std::unique_ptr<CudaMap> adopt(std::shared_ptr<DevicePicture> picture) override {
        return std::make_unique<AdoptedMap>(std::move(picture));
    }
    void copyFaces(DevicePicture& picture, GLuint texture) override {
        const cuda::DeviceScope scope(device_);
        DevicePicture::Owner& owner = picture.owner();
        const MappedTexture mapped(
            shared(texture, [&] { return SharedTexture::faces(device_, texture); }), stream_);
        owner.beginDrawing(stream_);
        for (size_t level = 0; level < owner.offsets.size(); ++level) {
            const auto side = static_cast<size_t>(owner.nside >> level), row = side * sizeof(float);
            for (unsigned face = 0; face < 12; ++face)
                cuda::check(
                    cudaMemcpy2DToArrayAsync(mapped.array(face, static_cast<unsigned>(level)), 0, 0,
                                             owner.level(level) + face * side * side, row, row,
                                             side, cudaMemcpyDeviceToDevice, stream_.get()),
                    "copying faces into a texture");
        }
        owner.endDrawing(stream_);
    }

    void forget(GLuint texture) override {
        if (!shared_.contains(texture)) return;
        finish();
        shared_.erase(texture);
    }

private:
    // Textures are released when nothing writes them: kernels (by their surfaces), copies, and the
    // end of the mapping, which is also queued in the stream.
    void finish() noexcept {
        surfaces_.clear();
        cuda::onDevice(device_, "waiting for pictures",
                       [&] { return cudaStreamSynchronize(stream_.get()); });
    }
    template <typename Share>
    const SharedTexture& shared(GLuint texture, const Share& share) {
        auto found = shared_.find(texture);
        if (found == shared_.end()) found = shared_.emplace(texture, share()).first;
        return found->second;
    }
    void setColors(const ColorScale& scale) {
        colors_.mapping = prepareMapping(scale.mapping);
        colors_.bad = bytes(scale.bad);
        colors_.outside = bytes(scale.outside);
        colors_.below = bytes(scale.below);
        colors_.above = bytes(scale.above);
        colors_.ownBelow = scale.ownBelow;
        colors_.ownAbove = scale.ownAbove;
        colors_.table = table_.data();
        colors_.cumulative = cumulative_.data();
        const std::pair<std::string, bool> wanted{scale.colorMap, scale.reversed};
        if (tableOf_ != wanted) {
            const ColorTable table = colorTable(scale.colorMap, scale.reversed);
            static_assert(sizeof(Rgba) == sizeof(uchar4));
            // From pageable memory, the copy is complete when the call returns.
            cuda::check(cudaMemcpyAsync(table_.data(), table.data(), sizeof(table),
                                        cudaMemcpyHostToDevice, stream_.get()),
                        "copying colors to the device");
            tableOf_ = wanted;
        }
        if (scale.mapping.scale == Scale::Histogram && cumulativeOf_ != scale.cumulative) {
            cuda::check(
                cudaMemcpyAsync(cumulative_.data(), scale.cumulative.data(),
                                sizeof(scale.cumulative), cudaMemcpyHostToDevice, stream_.get()),
                "copying a histogram to the device");
            cumulativeOf_ = scale.cumulative;
        }
    }

    int device_;
    cuda::Stream stream_;
    Surfaces surfaces_;
    cuda::DeviceBuffer<uchar4> table_;
    cuda::DeviceBuffer<float> cumulative_;
    cuda::PictureColors colors_;
    std::optional<std::pair<std::string, bool>> tableOf_;
    std::optional<std::array<float, 256>> cumulativeOf_;
    std::map<GLuint, SharedTexture> shared_;
};

// Registration of a small texture shows whether the driver of this context supports interop; Mesa
// does not.
void tryToShare(int device) {
    gl::Texture texture = gl::Texture::make();
    GLint before = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    glBindTexture(GL_TEXTURE_2D, texture.name());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
    const SharedTexture shared = SharedTexture::surface(device, texture.name());
}

}  // namespace

std::unique_ptr<CudaPainter> CudaPainter::create(std::string& whyNot) {
    try {
        unsigned count = 0;
        int device = 0;
        const cudaError_t found = cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll);
        if (found != cudaSuccess || count == 0) {
            cudaGetLastError();
            whyNot = "no CUDA device draws this window";
            if (found != cudaSuccess) whyNot += std::string(" (") + cudaGetErrorString(found) + ")";
            return nullptr;
        }
        tryToShare(device);
        return std::make_unique<InteropPainter>(device);
    } catch (const Error& error) {
        whyNot = error.what();
        return nullptr;
    }
}

}  // namespace armilla
