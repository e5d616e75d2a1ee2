// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures made by a CUDA kernel, straight into an OpenGL texture. Two implementations:
// map_texture_cuda.cpp, and cuda_painter_absent.cpp for builds without CUDA.
#pragma once

#include <epoxy/gl.h>

#include <memory>
#include <string>

#include "core/view_geometry.h"
#include "device/device_picture.h"
#include "render/color_scale.h"
#include "render/map_pyramid.h"

namespace armilla {

// A map's faces in device memory.
class CudaMap {
public:
    virtual ~CudaMap() = default;
    // As MapTexture's: copies values until `seconds` have passed; true once all are there.
    virtual bool advance(const MapPyramid& pyramid, double seconds) = 0;
    virtual int64_t nside() const = 0;  // of what is there so far
};

class CudaPainter {
public:
    virtual ~CudaPainter() = default;
    // For the device that draws the current OpenGL context. Null, with the reason in `whyNot`, if
    // there is none or if it refuses to share textures.
    static std::unique_ptr<CudaPainter> create(std::string& whyNot);

    // Room for the faces, without values. Throws OutOfMemory or DeviceError.
    virtual std::unique_ptr<CudaMap> upload(const MapPyramid& pyramid) = 0;
    // Fills `texture`, RGBA8 of the view's size, its first row the lowest as OpenGL has it, alpha
    // premultiplied. The texture may be drawn as soon as this returns: OpenGL waits by itself.
    virtual void paint(CudaMap& map, const ViewGeometry& view, const ColorScale& scale,
                       GLuint texture) = 0;
    // Must be told before a texture it has painted, or put faces into, is freed.
    virtual void forget(GLuint texture) = 0;

    virtual int device() const = 0;
    // A picture in this device's memory, drawn from where it lies. Work waits for it on the device.
    virtual std::unique_ptr<CudaMap> adopt(std::shared_ptr<DevicePicture> picture) = 0;
    // Copies its faces into a MapTexture of their nside, on the device.
    virtual void copyFaces(DevicePicture& picture, GLuint texture) = 0;
};

}  // namespace armilla
