// SPDX-License-Identifier: GPL-3.0-or-later
// A folder with files of a test, and error messages of readers about these.
#pragma once

#include <QTemporaryDir>
#include <string>

#include "armilla/core/error.h"
#include "compute/fits_bytes.h"

namespace armilla::testing {

class FileFolder {
public:
    std::string path(const std::string& name) const {
        return folder_.path().toStdString() + '/' + name;
    }
    // Writes a file with these bytes and returns its path.
    std::string write(const std::string& name, const std::string& bytes) const {
        writeBytes(path(name), bytes);
        return path(name);
    }
    // Writes the table as the only extension of file.fits, or the content as file.txt.
    std::string fits(const HduBytes& table) const {
        return write("file.fits", primaryHdu().bytes() + table.bytes());
    }
    std::string text(const std::string& content) const { return write("file.txt", content); }

private:
    QTemporaryDir folder_;
};

// The message of the exception that the call throws; empty if none.
template <class Call>
std::string refusal(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace armilla::testing
