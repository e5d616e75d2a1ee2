// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures by a CUDA kernel that writes an OpenGL texture. Two implementations:
// map_texture_cuda.cpp, and cuda_painter_absent.cpp for builds without CUDA.
#pragma once

#include <epoxy/gl.h>

#include <memory>
#include <string>

#include "armilla/core/view_geometry.h"
#include "armilla/device/device_picture.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/map_pyramid.h"

namespace armilla {

// A map's faces in device memory.
class CudaMap {
public:
    virtual ~CudaMap() = default;
    // Copies values until `seconds` have passed, as MapTexture does; true when complete.
    virtual bool advance(const MapPyramid& pyramid, double seconds) = 0;
    virtual int64_t nside() const = 0;  // nside of the part copied so far
};

class CudaPainter {
public:
    virtual ~CudaPainter() = default;
    // Creates a painter for the device that draws the current OpenGL context. Null, with the reason
    // in `whyNot`, without such a device or if it cannot access textures of the context.
    static std::unique_ptr<CudaPainter> create(std::string& whyNot);

    // Allocates the faces without values. Throws OutOfMemory or DeviceError.
    virtual std::unique_ptr<CudaMap> upload(const MapPyramid& pyramid) = 0;
    // Fills `texture`, RGBA8 of the view's size, bottom row first as in OpenGL, alpha
    // premultiplied. The texture may be drawn on return: OpenGL waits for the kernel.
    virtual void paint(CudaMap& map, const ViewGeometry& view, const ColorScale& scale,
                       GLuint texture) = 0;
    // Must be called before a texture that was painted, or filled with faces, is freed.
    virtual void forget(GLuint texture) = 0;

    virtual int device() const = 0;
    // A picture in this device's memory, drawn in place. Kernels wait for the picture on the
    // device.
    virtual std::unique_ptr<CudaMap> adopt(std::shared_ptr<DevicePicture> picture) = 0;
    // Copies its faces into a MapTexture of their nside, on the device.
    virtual void copyFaces(DevicePicture& picture, GLuint texture) = 0;
};

}  // namespace armilla
