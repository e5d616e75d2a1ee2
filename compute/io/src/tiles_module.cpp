// SPDX-License-Identifier: GPL-3.0-or-later
#include "tiles_module.h"

#include <fitsio.h>

#include <cstdio>
#include <cstring>

namespace armilla {

namespace {

// cfitsio replaces a primary HDU without data by the first unpacked image. After another HDU, which
// is deleted later, HDU numbers do not change.
void unpackImage(fitsfile* from, fitsfile* to, int number, int* status) {
    if (number == 2) fits_create_img(to, BYTE_IMG, 0, nullptr, status);
    fits_img_decompress(from, to, status);
    if (number == 2) {
        fits_movabs_hdu(to, 2, nullptr, status);
        fits_delete_hdu(to, nullptr, status);
        fits_movabs_hdu(to, 2, nullptr, status);
    }
}

int unpackAll(int in, int out) {
    std::array<char, 40> inName{}, outName{};
    std::snprintf(inName.data(), inName.size(), "/proc/self/fd/%d", in);
    std::snprintf(outName.data(), outName.size(), "/proc/self/fd/%d", out);
    fitsfile *from = nullptr, *to = nullptr;
    int status = 0, count = 0;
    fits_open_diskfile(&from, inName.data(), READONLY, &status);
    fits_open_diskfile(&to, outName.data(), READWRITE, &status);
    fits_get_num_hdus(from, &count, &status);
    for (int number = 2; number <= count && status == 0; ++number) {
        fits_movabs_hdu(from, number, nullptr, &status);
        int table = 0, image = 0, noTable = 0, noImage = 0;
        fits_read_key(from, TLOGICAL, "ZTABLE", &table, nullptr, &noTable);
        fits_read_key(from, TLOGICAL, "ZIMAGE", &image, nullptr, &noImage);
        if (noTable == 0 && table != 0)
            fits_uncompress_table(from, to, &status);
        else if (noImage == 0 && image != 0)
            unpackImage(from, to, number, &status);
        else
            fits_copy_hdu(from, to, 0, &status);
    }
    int closing = status;
    fits_close_file(to, &closing);
    return status != 0 ? status : closing;
}

}  // namespace

void armillaUnpackTiles(int in, int out, UnpackAnswer& answer) {
    answer.status = unpackAll(in, out);
    if (answer.status != 0) {
        std::array<char, FLEN_STATUS> reason{};
        fits_get_errstatus(answer.status, reason.data());
        std::snprintf(answer.text.data(), answer.text.size(), "%s", reason.data());
        std::array<char, FLEN_ERRMSG> line{};
        for (int lines = 0; lines < 3 && fits_read_errmsg(line.data()) != 0; ++lines) {
            const size_t used = std::strlen(answer.text.data());
            std::snprintf(answer.text.data() + used, answer.text.size() - used, "; %s",
                          line.data());
        }
    }
}

}  // namespace armilla
