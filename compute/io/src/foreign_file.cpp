// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign_file.h"

#include <array>

#include "armilla/core/ascii_text.h"
#include "fits_file.h"
#include "table_formats.h"
#include "text_file.h"

namespace armilla {

namespace {

struct Signature {
    std::string_view magic, words;
};
using namespace std::string_view_literals;
constexpr std::array kSignatures = {
    Signature{"\x89HDF"sv, "an HDF5 file"sv},
    Signature{"BZh"sv, "a bzip2 file, which is not supported (unpack with bunzip2)"sv},
    Signature{"\xfd\x37zXZ"sv, "an xz file, which is not supported (unpack with unxz)"sv},
    Signature{"\x28\xb5\x2f\xfd"sv, "a zstd file, which is not supported (unpack with unzstd)"sv},
    Signature{"\x1f\x9d"sv,
              "a file packed by compress, which is not supported (unpack with uncompress)"sv},
    Signature{"PK\x03\x04"sv,
              "a zip archive, which is not supported (an .npz of NumPy: save one of its arrays "
              "with numpy.save)"sv},
    Signature{"\x89PNG"sv, "a PNG image"sv},
    Signature{"\xff\xd8\xff"sv, "a JPEG image"sv},
    Signature{"GIF8"sv, "a GIF image"sv},
    Signature{"II*\0"sv, "a TIFF image"sv},
    Signature{"MM\0*"sv, "a TIFF image"sv},
    Signature{"%PDF"sv, "a PDF file"sv},
    Signature{"%!PS"sv, "a PostScript file"sv},
    Signature{"\x93NUMPY"sv, "an array of NumPy"sv},
    Signature{"SQLite format 3"sv, "a database of SQLite"sv},
    Signature{"PAR1"sv, "a Parquet file"sv},
    Signature{"#ASDF"sv, "an ASDF file"sv},
    Signature{"\x7f"
              "ELF"sv,
              "a program"sv},
    Signature{"\xff\xfe"sv, "text in UTF-16 (iconv -f UTF-16 -t UTF-8 converts it)"sv},
    Signature{"\xfe\xff"sv, "text in UTF-16 (iconv -f UTF-16 -t UTF-8 converts it)"sv},
    Signature{"# Region file format"sv, "DS9 regions (use with the commands mask and stats)"sv}};

// The first bytes in lower case, without leading blanks and byte order mark.
std::string lowerStart(std::string_view start) {
    if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
    while (!start.empty() && isBlank(start.front())) start.remove_prefix(1);
    return lowerCase(start);
}

// Names a format that is not a format of maps, tables or images, by its first bytes.
std::optional<std::string> otherFormat(std::string_view start) {
    for (const Signature& one : kSignatures)
        if (start.starts_with(one.magic)) return std::string(one.words);
    const std::string lower = lowerStart(start);
    const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
    if (lower.starts_with('<')) {
        if (has("<votable")) return std::nullopt;
        if (lower.starts_with("<!doctype html") || has("<html")) return "an HTML page";
        if (has("<svg")) return "an SVG picture";
        return std::nullopt;  // the reader of VOTables reports other XML
    }
    // Lists of "key = value" in folders of tiles.
    if (!lower.starts_with('{') && has("hats_"))
        return "the properties of a HATS catalog, whose rows are the Parquet files "
               "(Npix=*.parquet) of "
               "its folder dataset; each opens by itself";
    if (!lower.starts_with('{') && has("hips_"))
        return "the properties of a HiPS, which opens by the name of its folder";
    if (lower.starts_with("{\""))
        return has("\"armilla-session\"") ? "a session, which the window opens" : "JSON";
    return std::nullopt;
}

}  // namespace

std::string foreignWords(std::string_view start) {
    if (start.empty()) return "an empty file";
    if (start.starts_with("SIMPLE")) return "a damaged or truncated first header";
    if (auto words = otherFormat(start)) return *std::move(words);
    if (!isTextStart(start)) return "binary data";
    return lowerStart(start).starts_with('<') ? "an XML file" : "text";
}

std::optional<std::string> foreignFormat(const std::string& path) {
    const std::string start = startOfTextFile(path);
    if (start.starts_with("SIMPLE") || isHdf5OrParquet(path)) return std::nullopt;
    const bool mayBeRead = isTextStart(start) && !otherFormat(start);
    return mayBeRead ? std::nullopt : std::optional(foreignWords(start));
}

void requireKnownFormat(const std::string& path) {
    if (const auto words = foreignFormat(path))
        refuse(path,
               "a map, alm, spectrum, beam, catalog, samples, image or curve (FITS, HDF5, "
               "Parquet, VOTable or text)",
               *words);
}

}  // namespace armilla
