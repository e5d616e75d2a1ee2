// SPDX-License-Identifier: GPL-3.0-or-later
// Images and cards of FITS files, as cfitsio reads them.
#pragma once

#include <fitsio.h>

#include <QString>
#include <algorithm>
#include <string>
#include <vector>

namespace armilla::test {

// Values of an image HDU by name; an empty name is the primary HDU. Empty if unreadable.
inline std::vector<double> imageOf(const QString& path, const char* name = "",
                                   std::vector<long>* axes = nullptr, int* bitpix = nullptr) {
    fitsfile* file = nullptr;
    int status = 0, any = 0, count = 0, type = 0;
    fits_open_diskfile(&file, path.toLocal8Bit().constData(), READONLY, &status);
    std::string extension = name;
    if (!extension.empty()) fits_movnam_hdu(file, IMAGE_HDU, extension.data(), 0, &status);
    std::vector<long> sizes(3, 1);
    fits_get_img_param(file, 3, &type, &count, sizes.data(), &status);
    sizes.resize(static_cast<size_t>(std::max(0, count)));
    long all = 1;
    for (const long size : sizes) all *= size;
    std::vector<double> values(static_cast<size_t>(status == 0 ? all : 0));
    fits_read_img(file, TDOUBLE, 1, all, nullptr, values.data(), &any, &status);
    fits_close_file(file, &status);
    if (bitpix != nullptr) *bitpix = type;
    if (axes != nullptr) *axes = sizes;
    return status == 0 ? values : std::vector<double>();
}

// Value of a card of the primary HDU without quotes and blanks; empty if absent.
inline std::string cardOf(const QString& path, const char* key) {
    fitsfile* file = nullptr;
    int status = 0;
    char value[80] = {};
    fits_open_diskfile(&file, path.toLocal8Bit().constData(), READONLY, &status);
    fits_read_keyword(file, key, value, nullptr, &status);
    fits_close_file(file, &status);
    const QString text = QString::fromLatin1(value).remove('\'');
    return status == 0 ? text.trimmed().toStdString() : "";
}

}  // namespace armilla::test
