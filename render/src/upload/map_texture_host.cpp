// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <bit>
#include <string>

#include "gl/gl_check.h"
#include "upload/map_texture.h"

namespace armilla {

namespace {

constexpr GLsizei kFaces = 12;

// True if the driver accepts such an array in principle. Memory may still be short, so the
// allocation is checked as well.
bool isPossible(int64_t nside) {
    const auto side = static_cast<GLsizei>(nside);
    glTexImage3D(GL_PROXY_TEXTURE_2D_ARRAY, 0, GL_R32F, side, side, kFaces, 0, GL_RED, GL_FLOAT,
                 nullptr);
    GLint width = 0;
    glGetTexLevelParameteriv(GL_PROXY_TEXTURE_2D_ARRAY, 0, GL_TEXTURE_WIDTH, &width);
    const bool noError = glGetError() == GL_NO_ERROR;
    return noError && width == side;
}

}  // namespace

int64_t MapTexture::largestNside() {
    GLint side = 0, layers = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &layers);
    if (layers < kFaces) return 0;
    int64_t nside = 1;
    while (nside * 2 <= side) nside *= 2;
    while (nside > 1 && !isPossible(nside)) nside /= 2;
    return nside;
}

MapTexture::MapTexture(const MapPyramid& pyramid)
    : texture_(gl::Texture::make()),
      nside_(pyramid.nside()),
      levels_(pyramid.levels()),
      pieces_(pyramid) {
    growBuffer();
}

MapTexture::MapTexture(int64_t nside)
    : texture_(gl::Texture::make()),
      nside_(nside),
      levels_(std::countr_zero(static_cast<uint64_t>(nside)) + 1) {
    growBuffer();
}

void MapTexture::growBuffer() {
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture_.name());
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, levels_ - 1);
    const std::string what = "the faces of nside " + std::to_string(nside_);
    // Allocates all levels before filling any, so that a lack of memory shows at once.
    for (int level = 0; level < levels_; ++level) {
        const auto side = static_cast<GLsizei>(nside_ >> level);
        glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_R32F, side, side, kFaces, 0, GL_RED, GL_FLOAT,
                     nullptr);
        gl::check(what);
    }
}

bool MapTexture::advance(const MapPyramid& pyramid, double seconds) {
    const std::string what = "the faces of nside " + std::to_string(nside_);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture_.name());
    pieces_.advance(seconds, [&](const UploadPiece& piece) {
        const int64_t side = nside_ >> piece.level;
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, piece.level, 0, static_cast<GLint>(piece.row),
                        piece.face, static_cast<GLsizei>(side), static_cast<GLsizei>(piece.rows), 1,
                        GL_RED, GL_FLOAT, pyramid.level(piece.level).data() + piece.offset(side));
        gl::check(what);
    });
    // Texture fetches count levels from this one on, as if the texture began there.
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BASE_LEVEL,
                    std::min(pieces_.finest(), levels_ - 1));
    return pieces_.done();
}

}  // namespace armilla
