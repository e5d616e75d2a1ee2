// SPDX-License-Identifier: GPL-3.0-or-later
// Positions on the sky by name, from built-in names, rows of open catalogs, and name tables in the
// user's data folder. No network access.
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

#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "armilla/core/table.h"
#include "armilla/session/layer_id.h"

namespace armilla {

class Document;
class JobRunner;

// Names that the search box offers, such as "M 31".
QStringList skyNames();
// The only name that contains `part`, if it is unique: "virgo" gives "M 87 (Virgo A)". A part of a
// number does not match: "NGC 13" is not "NGC 1300".
std::optional<QString> onlySkyNameWith(const QString& part);
// ICRS position of a built-in name, accurate to an arcminute.
std::optional<LonLat> namedPosition(const QString& name);

// A position in the syntax of armilla/core/units.h, also with true minus signs. Two numbers are
// degrees in `frame`. The result is in `frame`; sexagesimal positions need a known frame. Throws
// InvalidArgument.
LonLat typedPosition(const QString& text, Frame frame);
// Accepts the same as typedPosition(), and a built-in name, which also needs a known frame.
LonLat searchedPosition(const QString& text, Frame frame);

// Normal form for the comparison of names: lower case, without blanks, underscores and leading
// zeros of numbers ("NGC 0224" is "ngc224").
std::string foldedName(std::string_view name);
// Columns of a table that hold names, by UCD (meta.id...) or else by usual column names. Integer
// columns count only under names of the great catalogs (M, NGC, IC, HIP, HD): "M" 31 is "M31".
std::vector<int> nameColumns(const Table& table);
// The first row with a position and this name (in normal form) in one of its columns, alone or in a
// comma-separated list. A million rows take some tens of milliseconds.
std::optional<int64_t> rowNamed(const Catalog& catalog, const std::string& folded, JobContext* job);

// A position found by name.
struct NamedPlace {
    LonLat place;  // radians
    Frame frame = Frame::Unknown;
    LayerId layer;  // an open catalog, and its row
    int64_t row = -1;
    QString source;  // the file or layer with the name
};

// Used only in the window's thread.
class NameSearch : public QObject {
    Q_OBJECT
public:
    // Both arguments must outlive this object.
    NameSearch(Document& document, JobRunner& jobs, QObject* parent = nullptr);

    // Searches rows of open catalogs at once, within a budget of a few milliseconds.
    std::optional<NamedPlace> find(const QString& name) const;
    // True if search() would read further tables.
    bool hasMore() const;
    // Searches the larger open catalogs and the name tables in a job. Name tables are catalog files
    // (CSV such as OpenNGC's, ECSV, FITS, VOTable) in the folder armilla/names of the user's or
    // system's data (XDG_DATA_HOME, XDG_DATA_DIRS).
    //
    // `done` receives no place if the name is not found. Its line reports a file without a table,
    // once for each version of the file.
    using Done = std::function<void(const std::optional<NamedPlace>&, const QString& problem)>;
    void search(const QString& name, Done done);
    // Cancels the search; its `done` is not called.
    void cancel();
    // The folder for the user's own tables; it may not exist yet.
    static QString userFolder();
    // The present files of name tables.
    static QFileInfoList tableFiles();

private:
    struct NameTable {
        QString path;
        std::shared_ptr<const Catalog> catalog;
    };
    struct Tables {
        QStringList marks;    // state of the files that were read
        QStringList refused;  // files without a table
        std::vector<NameTable> tables;
    };

    Document& document_;
    JobRunner& jobs_;
    std::shared_ptr<const Tables> tables_;  // content at the last read
};

}  // namespace armilla
