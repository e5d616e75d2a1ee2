// SPDX-License-Identifier: GPL-3.0-or-later
// Autosave of a session to disk, to survive a crash.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTimer>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "armilla/session/project_keeper.h"

namespace armilla {

// Holds an exclusive lock on a file. The kernel releases the lock when the process dies, so the
// reuse of process ids does not matter.
class FileLock {
public:
    // None if the file cannot be opened, or if another process or another FileLock of this process
    // holds the lock.
    static std::optional<FileLock> tryTake(const QString& path);
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

private:
    explicit FileLock(int file) : file_(file) {}
    int file_ = -1;
};

// The autosave of one session, consisting of:
// - NAME.json, the content,
// - NAME.lock, which the running session holds,
// - NAME.files, a folder of layer files that exist nowhere else.
//
// Written by its own thread at most a second after the first unsaved change. Removed at the end of
// the session, so that only a crash or keep() leaves an autosave behind.
class Autosave : public QObject {
    Q_OBJECT
public:
    // Returns the content of the file; called in the autosave thread; may throw. None: nothing to
    // save, and the file is removed.
    using Writer = std::function<QByteArray()>;
    // `snapshot` is called in the window's thread. `failed`: a line, called once in the window's
    // thread if nothing can be written.
    Autosave(QString folder, std::function<Writer()> snapshot, std::function<void(QString)> failed,
             QObject* parent = nullptr);
    ~Autosave() override;

    void noteChange();
    QString path() const;
    // Saves now, and leaves the file for the next start, marked with the reason.
    void keep(LeftBehind why);
    // The folder beside the autosave, created if absent and readable only by the owner. Throws
    // IoError.
    QString filesFolder();
    // True if `path` lies in the folder, so that it is removed with the session.
    bool hasFile(const QString& path) const;

    // Autosaves in the folder whose session is dead, the latest first.
    QStringList crashed() const;
    // Reason of the latest crashed autosave; Crash if there is none.
    LeftBehind latestReason() const;
    // Locks the latest crashed autosave and returns its content. None if there is none, or if one
    // is held already.
    //
    // The held autosave is neither overwritten nor removed until release() makes it the session's
    // own. giveBack() leaves it unchanged for the next start, as the end of the session does.
    std::optional<QByteArray> adopt();
    bool isHeld() const { return former_.has_value(); }
    void release();
    void giveBack();
    void discardCrashed();
    // Writes unreadable content to a separate name that no autosave uses. Returns the path, empty
    // if writing failed.
    QString keepAside(const QByteArray& content) const;

private:
    // An autosave name with its lock.
    struct Own {
        QString name;
        std::optional<FileLock> lock;
    };
    struct Order {
        QString path;
        Writer content;  // none: remove
    };
    QString pathOf(const Own& own) const;
    // Returns false, and reports the failure once, if the folder is not writable.
    bool takeLock();
    void save();
    void write(const std::stop_token& stop);
    void writeOut(const Order& order);

    QString folder_;
    Own own_;
    std::optional<Own> former_;  // the session's own while another is held
    std::function<Writer()> snapshot_;
    std::function<void(QString)> failed_;
    QTimer timer_;
    bool hasFailed_ = false, isKept_ = false;

    std::mutex guard_;
    std::condition_variable_any wake_;
    std::optional<Order> waiting_;
    QString current_;  // content for any other path is late and is removed
    std::jthread writer_;
};

}  // namespace armilla
