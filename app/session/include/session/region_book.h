// SPDX-License-Identifier: GPL-3.0-or-later
// Regions drawn by hand or by numbers, with undo; part of a session.
#pragma once

#include <QJsonArray>
#include <QObject>
#include <QString>
#include <span>
#include <vector>

#include "io/region_io.h"

class QUndoStack;

namespace armilla {

struct DrawnRegion {
    int id = 0;  // of the book
    Region region;
    QString name;
};

// Regions as a session file has them, without ids yet: what cannot be read of them is left out,
// which one line tells, empty if nothing was.
struct ReadRegions {
    std::vector<DrawnRegion> all;
    QString leftOut;
};
ReadRegions regionsFrom(const QJsonValue& json);
// In any thread.
QJsonArray toJson(const std::vector<DrawnRegion>& regions);

// Lives in the window's thread. Every change is a step of the undo stack; changes of one region
// merge until endGesture().
class RegionBook : public QObject {
    Q_OBJECT
public:
    // The stack must outlive the book.
    explicit RegionBook(QUndoStack& undo, QObject* parent = nullptr);
    ~RegionBook() override;

    const std::vector<DrawnRegion>& all() const { return all_; }
    const DrawnRegion* find(int id) const;
    // The region that is looked at, -1: none; not part of the history.
    int current() const { return find(current_) ? current_ : -1; }
    void setCurrent(int id);

    // Adds regions as one step; the last one becomes the current one. Those without a name get one:
    // "disc 3". Returns the ids. Throws InvalidArgument as checkRegion, with nothing added.
    std::vector<int> add(const std::vector<NamedRegion>& regions);
    // Throws as add.
    void change(int id, const Region& region);
    void rename(int id, const QString& name);
    void remove(int id);
    void removeAll();
    void endGesture();

    std::vector<NamedRegion> named() const;
    // Replaces everything, no step of the history.
    void restore(std::vector<DrawnRegion> regions);

signals:
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
