// SPDX-License-Identifier: GPL-3.0-or-later
// Drawn or typed regions of a session, with undo.
#pragma once

#include <QJsonArray>
#include <QObject>
#include <QString>
#include <span>
#include <vector>

#include "armilla/io/region_io.h"

class QUndoStack;

namespace armilla {

// A region with its id and name.
struct DrawnRegion {
    int id = 0;  // id in the book
    Region region;
    QString name;
};

// Regions read from a session file, without ids yet. Unreadable regions are left out, and `problem`
// describes these in one line.
struct ReadRegions {
    std::vector<DrawnRegion> all;
    QString leftOut;
};
// Reads the regions of a session file.
ReadRegions regionsFrom(const QJsonValue& json);
// Thread-safe.
QJsonArray toJson(const std::vector<DrawnRegion>& regions);

// Used only in the window's thread. Every change is an undo step; changes of one region merge until
// endGesture().
class RegionBook : public QObject {
    Q_OBJECT
public:
    // The stack must outlive the book.
    explicit RegionBook(QUndoStack& undo, QObject* parent = nullptr);
    ~RegionBook() override;

    const std::vector<DrawnRegion>& all() const { return all_; }
    // The region with this id; null if there is none.
    const DrawnRegion* find(int id) const;
    // The selected region, -1: none; not part of the history.
    int current() const { return find(current_) ? current_ : -1; }
    void setCurrent(int id);

    // Adds regions as one step and selects the last one. Unnamed regions get a name such as "disc
    // 3". Returns the ids. Throws InvalidArgument as checkRegion(), with nothing added.
    std::vector<int> add(const std::vector<NamedRegion>& regions);
    // Throws InvalidArgument as checkRegion().
    void change(int id, const Region& region);
    void rename(int id, const QString& name);
    void remove(int id);
    void removeAll();
    // The next change is a new step.
    void endGesture();

    // All regions with names, without ids.
    std::vector<NamedRegion> named() const;
    // Replaces all regions without a history step.
    void restore(std::vector<DrawnRegion> regions);

signals:
    // Regions were added, removed or changed.
    void changed();
    void currentChanged();

private:
    friend struct ChangeRegions;
    void push(const QString& title, std::vector<DrawnRegion> after, int merged = -1);
    QString freeName(const Region& region, const std::vector<DrawnRegion>& among) const;

    std::vector<DrawnRegion> all_;
    int current_ = -1, lastId_ = 0, gesture_ = 0;
    QUndoStack& undo_;
};

}  // namespace armilla
