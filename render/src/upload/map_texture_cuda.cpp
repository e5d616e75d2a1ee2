// SPDX-License-Identifier: GPL-3.0-or-later
#include <epoxy/gl.h>
// clang-format off
#include <cuda_gl_interop.h>  // needs OpenGL's types, which epoxy must declare first
// clang-format on

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cuda/project_cuda.h"
#include "device/cuda/check.h"
#include "device/cuda/device_buffer.h"
#include "device/cuda/stream.h"
#include "gl/gl_handles.h"
#include "upload/cuda_painter.h"
#include "upload/upload_pieces.h"

namespace armilla {

namespace {

// A texture registered with CUDA.
class SharedTexture {
public:
    SharedTexture(int device, GLuint texture) : device_(device) {
        const cuda::DeviceScope scope(device);
        cuda::check(cudaGraphicsGLRegisterImage(&resource_, texture, GL_TEXTURE_2D,
                                                cudaGraphicsRegisterFlagsSurfaceLoadStore |
                                                    cudaGraphicsRegisterFlagsWriteDiscard),
                    "sharing a texture with OpenGL");
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

// While it lives, CUDA may write the texture and OpenGL must not draw it.
class MappedSurface {
public:
    MappedSurface(const SharedTexture& texture, const cuda::Stream& stream)
        : resource_(texture.resource()), stream_(stream) {
        cuda::check(cudaGraphicsMapResources(1, &resource_, stream_.get()), "mapping a texture");
        try {
            cudaResourceDesc description{};
            description.resType = cudaResourceTypeArray;
            cuda::check(cudaGraphicsSubResourceGetMappedArray(&description.res.array.array,
                                                              resource_, 0, 0),
                        "finding a mapped texture");
            cuda::check(cudaCreateSurfaceObject(&surface_, &description), "making a surface");
        } catch (...) {
            unmap();
            throw;
        }
    }
    ~MappedSurface() {
        cuda::logFailure(cudaDestroySurfaceObject(surface_), "freeing a surface");
        unmap();
    }
    MappedSurface(const MappedSurface&) = delete;
    MappedSurface& operator=(const MappedSurface&) = delete;
    cudaSurfaceObject_t get() const { return surface_; }

private:
    void unmap() noexcept {
        // In the stream's order: OpenGL's next use of the texture waits for the picture.
        cuda::logFailure(cudaGraphicsUnmapResources(1, &resource_, stream_.get()),
                         "unmapping a texture");
    }
    cudaGraphicsResource_t resource_;
    const cuda::Stream& stream_;
    cudaSurfaceObject_t surface_ = 0;
};

class DeviceMap : public CudaMap {
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
            stream_.synchronize();  // the time taken is that of the copy
        });
        return pieces_.done();
    }
    int64_t nside() const override { return nside_ >> pieces_.finest(); }
    // Of what is there so far.
    cuda::FaceLevels faces() const {
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
    std::vector<size_t> offsets_;  // of the levels
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
          table_(device, 256),
          cumulative_(device, 256) {}

    std::unique_ptr<CudaMap> upload(const MapPyramid& pyramid) override {
        const cuda::DeviceScope scope(device_);
        return std::make_unique<DeviceMap>(device_, stream_, pyramid);
    }

    void paint(const CudaMap& map, const ViewGeometry& view, const ColorScale& scale,
               GLuint texture) override {
        const cuda::DeviceScope scope(device_);
        setColors(scale);
        auto found = shared_.find(texture);
        if (found == shared_.end())
            found = shared_.emplace(texture, SharedTexture(device_, texture)).first;
        const MappedSurface surface(found->second, stream_);
        cuda::projectToSurface(view, static_cast<const DeviceMap&>(map).faces(), colors_,
                               surface.get(), stream_.get());
        // The surface must outlive the kernel, some 0.02 ms; faults of the kernel show here too.
        stream_.synchronize();
    }

    void forget(GLuint texture) override { shared_.erase(texture); }

private:
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
            // From pageable memory the copy is done when the call returns.
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
    cuda::DeviceBuffer<uchar4> table_;
    cuda::DeviceBuffer<float> cumulative_;
    cuda::PictureColors colors_;
    std::optional<std::pair<std::string, bool>> tableOf_;
    std::optional<std::array<float, 256>> cumulativeOf_;
    std::map<GLuint, SharedTexture> shared_;
};

// Registering a small texture tells whether the driver of this context shares at all; Mesa refuses.
void tryToShare(int device) {
    gl::Texture texture = gl::Texture::make();
    GLint before = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    glBindTexture(GL_TEXTURE_2D, texture.name());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
    const SharedTexture shared(device, texture.name());
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
