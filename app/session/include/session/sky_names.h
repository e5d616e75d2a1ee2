// SPDX-License-Identifier: GPL-3.0-or-later
// Places in the sky by name: those that the program knows, rows of catalogs that are open, tables
// of names that the user has put where programs find their data. Nothing is asked of a network.
#pragma once

#include <QFileInfo>
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
// The one of them that this is a part of, where there is one alone: "virgo" is "M 87 (Virgo A)". A
// part of a number is none: "NGC 13" is not "NGC 1300".
std::optional<QString> onlySkyNameWith(const QString& part);
// ICRS position of a name that the program knows, good to an arcminute.
std::optional<LonLat> namedPosition(const QString& name);

// A position as core/units.h parses it, also with true minus signs: two numbers are degrees in
// `frame`. The result is in `frame`; sexagesimal positions need a known one. Throws
// InvalidArgument.
LonLat typedPosition(const QString& text, Frame frame);
// The same, or a name that the program knows, which needs a known frame, too.
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
    // of the user's or the system's data (XDG_DATA_HOME, XDG_DATA_DIRS). `done` with nothing if
    // the name is not found; with a line if a file holds no table, once for each file as it is.
    using Done = std::function<void(const std::optional<NamedPlace>&, const QString& problem)>;
    void search(const QString& name, Done done);
    // What is looked for is not wanted any more: its `done` is not called.
    void cancel();
    // The folder for tables of the user's own, whether there is one yet or not.
    static QString userFolder();
    // The tables of names that there are now.
    static QFileInfoList tableFiles();

private:
    struct NameTable {
        QString path;
        std::shared_ptr<const Catalog> catalog;
    };
    struct Tables {
        QStringList marks;    // of the files that were read
        QStringList refused;  // those of them that hold no table
        std::vector<NameTable> tables;
    };

    Document& document_;
    JobRunner& jobs_;
    std::shared_ptr<const Tables> tables_;  // as they were read last
};

}  // namespace armilla
