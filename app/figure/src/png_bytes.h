// SPDX-License-Identifier: GPL-3.0-or-later
// PNG (ISO/IEC 15948) of a finished figure. QImageWriter searches for matches that pictures of the
// sky hardly have: it takes four times as long for files 3 % smaller.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <vector>

namespace armilla {

struct PngText {
    const char* keyword;  // Latin-1
    QString text;
};

// `image` in Format_RGB32 or, with transparency, Format_ARGB32_Premultiplied, with its resolution.
// Throws OutOfMemory.
QByteArray pngBytes(const QImage& image, const std::vector<PngText>& texts);

}  // namespace armilla
