// SPDX-License-Identifier: GPL-3.0-or-later
// Test values of maps, and files as read by cfitsio.
#pragma once

#include <fitsio.h>

#include <QObject>
#include <QTemporaryDir>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/io/map_io.h"
#include "compute/fits_bytes.h"

namespace armilla::testing {

// A test with a folder for map files.
class MapFileTest : public QObject {
protected:
    std::string path(const char* name) const { return (folder_.path() + '/' + name).toStdString(); }
    static HealpixMap read(const std::string& file, std::vector<std::string> fields = {}) {
        JobContext job;
        return readMap(file, {std::move(fields)}, job);
    }
    static void write(const HealpixMap& map, const std::string& file,
                      StoredPrecision precision = StoredPrecision::AsRead) {
        JobContext job;
        writeMap(map, file, {true, precision, {}}, job);
    }
    // A FITS file of these extensions.
    std::string written(const std::string& extensions) const {
        const std::string file = path("file.fits");
        writeBytes(file, primaryHdu().bytes() + extensions);
        return file;
    }

    QTemporaryDir folder_;
};

// The message of the error that `act` throws; empty if it throws none.
inline std::string refusal(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

inline const double kNan = std::numeric_limits<double>::quiet_NaN();

// Any value for pixel p that is exact in every numeric type from 8 bits on.
inline double plain(int64_t p) {
    return static_cast<double>(p % 120);
}

template <class T>
std::string columnData(int64_t count) {
    std::string data;
    for (int64_t p = 0; p < count; ++p) append(data, static_cast<T>(plain(p)));
    return data;
}

inline std::vector<double> valuesOf(const HealpixMap& map, int field) {
    std::vector<double> values;
    for (int64_t i = 0; i < map.elementCount(); ++i) values.push_back(map.field(field).at(i));
    return values;
}

inline bool same(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))) return false;
    return true;
}

// A file closed by its destructor; fails the test on any cfitsio status.
class Opened {
public:
    explicit Opened(const std::string& path) {
        fits_open_diskfile(&file, path.c_str(), READONLY, &status);
    }
    ~Opened() {
        int ignored = 0;
        if (file != nullptr) fits_close_file(file, &ignored);
    }
    fitsfile* file = nullptr;
    int status = 0;
};

inline std::string keyword(const std::string& path, int hdu, const char* key) {
    Opened opened(path);
    char value[FLEN_VALUE] = "";
    fits_movabs_hdu(opened.file, hdu + 1, nullptr, &opened.status);
    fits_read_key(opened.file, TSTRING, key, value, nullptr, &opened.status);
    if (opened.status != 0) return "none";
    return value;
}

// Both checksums of every HDU, verified by cfitsio.
inline bool checksumsHold(const std::string& path) {
    Opened opened(path);
    int count = 0, dataOk = 0, hduOk = 0;
    fits_get_num_hdus(opened.file, &count, &opened.status);
    for (int i = 1; i <= count && opened.status == 0; ++i) {
        fits_movabs_hdu(opened.file, i, nullptr, &opened.status);
        fits_verify_chksum(opened.file, &dataOk, &hduOk, &opened.status);
        if (dataOk != 1 || hduOk != 1) return false;
    }
    return opened.status == 0 && count > 0;
}

inline std::vector<double> cfitsioColumn(const std::string& path, const char* name) {
    Opened opened(path);
    int column = 0, type = 0;
    long rows = 0, repeat = 0;
    fits_movabs_hdu(opened.file, 2, nullptr, &opened.status);
    fits_get_num_rows(opened.file, &rows, &opened.status);
    fits_get_colnum(opened.file, CASEINSEN, const_cast<char*>(name), &column, &opened.status);
    fits_get_coltype(opened.file, column, &type, &repeat, nullptr, &opened.status);
    std::vector<double> values(static_cast<size_t>(rows * repeat));
    double null = kNan;
    int anyNull = 0;
    fits_read_col(opened.file, TDOUBLE, column, 1, 1, rows * repeat, &null, values.data(), &anyNull,
                  &opened.status);
    return opened.status == 0 ? values : std::vector<double>{};
}

}  // namespace armilla::testing
