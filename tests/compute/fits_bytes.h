// SPDX-License-Identifier: GPL-3.0-or-later
// FITS files assembled card by card for tests, valid or invalid.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace armilla::testing {

// One HDU: cards in order, then data. `set` replaces an earlier card of the same keyword.
class HduBytes {
public:
    HduBytes& set(const std::string& key, const std::string& value) {
        char card[256];
        std::snprintf(card, sizeof card, "%-8s= %20s", key.c_str(), value.c_str());
        return put(key, card);
    }
    HduBytes& set(const std::string& key, long long value) {
        return set(key, std::to_string(value));
    }
    HduBytes& set(const std::string& key, int value) { return set(key, std::to_string(value)); }
    HduBytes& set(const std::string& key, double value) {
        char text[40];
        std::snprintf(text, sizeof text, "%.15E", value);
        return set(key, std::string(text));
    }
    HduBytes& setText(const std::string& key, const std::string& value) {
        char card[256];
        std::snprintf(card, sizeof card, "%-8s= '%-8s'", key.c_str(), value.c_str());
        return put(key, card);
    }
    HduBytes& remove(const std::string& key) {
        for (auto it = cards_.begin(); it != cards_.end();)
            it = it->first == key ? cards_.erase(it) : it + 1;
        return *this;
    }
    HduBytes& card(const std::string& text) {
        cards_.emplace_back("", text);
        return *this;
    }
    std::string data;

    std::string bytes(char padding = 0) const {
        std::string out;
        for (const auto& [key, text] : cards_) {
            std::string line = text.substr(0, 80);
            line.resize(80, ' ');
            out += line;
        }
        std::string end = "END";
        end.resize(80, ' ');
        out += end;
        out.resize((out.size() + 2879) / 2880 * 2880, ' ');
        out += data;
        out.resize((out.size() + 2879) / 2880 * 2880, padding);
        return out;
    }

private:
    HduBytes& put(const std::string& key, const std::string& text) {
        for (auto& [known, line] : cards_)
            if (known == key) {
                line = text;
                return *this;
            }
        cards_.emplace_back(key, text);
        return *this;
    }
    std::vector<std::pair<std::string, std::string>> cards_;
};

template <class T>
void append(std::string& data, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (size_t i = sizeof(T); i-- > 0;) data += bytes[i];
}

inline HduBytes primaryHdu() {
    HduBytes hdu;
    hdu.set("SIMPLE", "T").set("BITPIX", 8).set("NAXIS", 0).set("EXTEND", "T");
    return hdu;
}

struct ColumnBytes {
    std::string name, form;
};

// A binary table of `rows` rows of `rowBytes` bytes; the data are up to the caller.
inline HduBytes tableHdu(const std::vector<ColumnBytes>& columns, int64_t rowBytes, int64_t rows) {
    HduBytes hdu;
    hdu.setText("XTENSION", "BINTABLE").set("BITPIX", 8).set("NAXIS", 2);
    hdu.set("NAXIS1", static_cast<long long>(rowBytes));
    hdu.set("NAXIS2", static_cast<long long>(rows));
    hdu.set("PCOUNT", 0).set("GCOUNT", 1);
    hdu.set("TFIELDS", static_cast<long long>(columns.size()));
    for (size_t i = 0; i < columns.size(); ++i) {
        hdu.setText("TTYPE" + std::to_string(i + 1), columns[i].name);
        hdu.setText("TFORM" + std::to_string(i + 1), columns[i].form);
    }
    return hdu;
}

// A binary table of columns of doubles with their values.
inline HduBytes doubleTable(const std::vector<std::string>& names,
                            const std::vector<std::vector<double>>& columns) {
    std::vector<ColumnBytes> forms;
    for (const std::string& name : names) forms.push_back({name, "D"});
    HduBytes hdu = tableHdu(forms, static_cast<int64_t>(8 * names.size()),
                            static_cast<int64_t>(columns[0].size()));
    for (size_t row = 0; row < columns[0].size(); ++row)
        for (const auto& column : columns) append(hdu.data, column[row]);
    return hdu;
}

// The keywords of a full HEALPix map.
inline HduBytes& mapKeywords(HduBytes& hdu, int64_t nside, const std::string& ordering) {
    hdu.setText("PIXTYPE", "HEALPIX").setText("ORDERING", ordering);
    return hdu.set("NSIDE", static_cast<long long>(nside)).setText("INDXSCHM", "IMPLICIT");
}

inline void writeBytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string readBytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace armilla::testing
