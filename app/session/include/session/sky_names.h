// SPDX-License-Identifier: GPL-3.0-or-later
// Places in the sky by name: those that the program knows, rows of catalogs that are open, tables
// of names that the user has put where programs find their data. Nothing is asked of a network.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/job_context.h"
#include "core/sky_vector.h"
#include "core/table.h"

namespace armilla {

class Document;
class JobRunner;

// Names the search box offers, such as "M 31".
QStringList skyNames();
// ICRS position of a name that the program knows, good to an arcminute.
std::optional<LonLat> namedPosition(const QString& name);

// A name that the program knows, or a position as core/units.h parses it: two numbers are degrees
// in `frame`. The result is in `frame`; names and sexagesimal positions need a known one. Throws
// InvalidArgument.
LonLat searchedPosition(const QString& text, Frame frame);

// How names are compared: small letters, without blanks, underscores and zeros that only fill a
// number up ("NGC 0224" is "ngc224").
std::string foldedName(std::string_view name);
// Columns of a table that hold names: by UCD (meta.id...), else by the usual names of columns.
// Integers count under the names of the great catalogs alone (M, NGC, IC, HIP, HD): "M" 31 is
// "M31".
std::vector<int> nameColumns(const Table& table);
// The first row with a position that has this name (folded) in one of its columns, alone or among
// others between commas. A million rows take some tens of milliseconds.
std::optional<int64_t> rowNamed(const Catalog& catalog, const std::string& folded, JobContext* job);

struct NamedPlace {
    LonLat place;  // radians
    Frame frame = Frame::Unknown;
    int layer = -1;  // of a catalog that is open, and its row
    int64_t row = -1;
    QString source;  // the file or layer that has it
};

// Lives in the window's thread.
class NameSearch : public QObject {
    Q_OBJECT
public:
    // Both must outlive it.
    NameSearch(Document& document, JobRunner& jobs, QObject* parent = nullptr);

    // At once: rows of open catalogs, as far as a few milliseconds reach.
    std::optional<NamedPlace> find(const QString& name) const;
    // Whether search() would look anywhere else.
    bool hasMore() const;
    // In a job: the open catalogs that are larger, and the tables of names. These are files that
    // hold catalogs (CSV such as that of OpenNGC, ECSV, FITS, VOTable) in the folder armilla/names
    // of the user's or the system's data (XDG_DATA_HOME, XDG_DATA_DIRS). `done` with nothing, and a
    // line if a table cannot be read.
    using Done = std::function<void(const std::optional<NamedPlace>&, const QString& problem)>;
    void search(const QString& name, Done done);
    // Where tables of names are looked for.
    static QStringList folders();

private:
    struct NameTable {
        QString path;
        std::shared_ptr<const Catalog> catalog;
    };
    using Tables = std::vector<NameTable>;

    Document& document_;
    JobRunner& jobs_;
    std::shared_ptr<const Tables> tables_;  // once they have been read
};

}  // namespace armilla
