// SPDX-License-Identifier: GPL-3.0-or-later
// VOTable 1.x (IVOA recommendation): the first TABLE, data as TABLEDATA.
#include "catalog_build.h"
#include "core/error.h"
#include "fits_file.h"
#include "text_file.h"
#include "xml_reader.h"

namespace armilla {

namespace {

class VoTableReader {
public:
    VoTableReader(const std::string& path, const std::string& document)
        : path_(path), xml_(document, path) {}

    std::vector<CatalogColumn> read(JobContext& job) {
        bool known = false;
        for (auto token = xml_.next(); token != XmlReader::Token::Finished; token = xml_.next()) {
            if (token == XmlReader::Token::End && xml_.name() == "TABLE") return columns(job);
            if (token != XmlReader::Token::Start) continue;
            const std::string& name = xml_.name();
            known = known || name == "VOTABLE";
            if (!known) refuse(path_, "a VOTable", "XML that starts with " + inQuotes(name));
            if (name == "TABLE") {
                inTable_ = true;
            } else if (inTable_ && name == "FIELD") {
                names_.push_back(xml_.attribute("name").empty() ? xml_.attribute("ID")
                                                                : xml_.attribute("name"));
                units_.push_back(xml_.attribute("unit"));
                cells_.emplace_back();
            } else if (inTable_ && (name == "BINARY" || name == "BINARY2" || name == "FITS")) {
                refuse(path_, "a VOTable with its data as TABLEDATA", "data as " + name);
            } else if (inTable_ && name == "TR") {
                readRow(job);
            }
        }
        refuse(path_, "a VOTable with a TABLE", "none");
    }

private:
    void readRow(JobContext& job) {
        size_t column = 0;
        if ((++rows_ & 0xfff) == 0) job.report(0.9 * xml_.fractionRead(), "reading");
        for (auto token = xml_.next();; token = xml_.next()) {
            if (token == XmlReader::Token::Finished) break;
            if (token == XmlReader::Token::End && xml_.name() == "TR") break;
            if (token != XmlReader::Token::Start) continue;
            if (xml_.name() != "TD")
                refuse(path_, "TD elements in row " + std::to_string(rows_), inQuotes(xml_.name()));
            std::string cell;
            for (token = xml_.next(); token == XmlReader::Token::Text; token = xml_.next())
                cell += xml_.text();
            if (token != XmlReader::Token::End)
                refuse(path_, "text in the cells of row " + std::to_string(rows_), "elements");
            if (column < cells_.size()) cells_[column].push_back(std::move(cell));
            ++column;
        }
        if (column != cells_.size())
            refuse(path_, std::to_string(cells_.size()) + " cells (FIELD) in each row",
                   std::to_string(column) + " in row " + std::to_string(rows_));
    }

    std::vector<CatalogColumn> columns(JobContext& job) {
        std::vector<CatalogColumn> result;
        for (size_t i = 0; i < names_.size(); ++i) {
            job.poll();
            result.push_back(columnFromTexts(names_[i], units_[i], std::move(cells_[i])));
        }
        return result;
    }

    std::string path_;
    XmlReader xml_;
    bool inTable_ = false;
    size_t rows_ = 0;
    std::vector<std::string> names_, units_;
    std::vector<std::vector<std::string>> cells_;
};

}  // namespace

Catalog readVoTable(const std::string& path, JobContext& job) {
    const std::string document = readTextFile(path);
    return catalogFromColumns(path, VoTableReader(path, document).read(job), job);
}

}  // namespace armilla
