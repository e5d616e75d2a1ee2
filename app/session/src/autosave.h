// SPDX-License-Identifier: GPL-3.0-or-later
// The present state of a session on disk, so that it survives a crash.
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

#include "session/session.h"

namespace armilla {

// What is read back as a session, and so the most that is written as one: a million verdicts with
// short notes.
inline constexpr qint64 kLargestSession = qint64{256} << 20;

// Holds an exclusive lock on a file while it lives. The kernel frees it when the process dies, in
// whatever way; process numbers that are used again do not matter.
class FileLock {
public:
    // None if another process, or another FileLock of this one, holds it, or it cannot be opened.
    static std::optional<FileLock> tryTake(const QString& path);
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

private:
    explicit FileLock(int file) : file_(file) {}
    int file_ = -1;
};

// One autosave file of one session: NAME.json beside NAME.lock, which the living session holds, and
// NAME.files, a folder for what its layers are read from and that lies nowhere else. Written at
// most a second after the first unsaved change, in a thread of its own; removed at the end of the
// session, so that only a crash leaves one behind, or who asks for it by keep().
class Autosave : public QObject {
    Q_OBJECT
public:
    // Makes the content of the file, in a thread of its own; may throw. None: nothing worth
    // keeping, the file goes.
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
    // The folder beside the autosave, made if it is not there, readable by its owner alone. Throws
    // IoError.
    QString filesFolder();
    // Whether a file lies there, and so goes with the session.
    bool hasFile(const QString& path) const;

    // Autosaves in the folder whose session is dead, the latest first.
    QStringList crashed() const;
    // Why the latest of them was left; Crash if there is none.
    LeftBehind latestReason() const;
    // Holds the latest crashed autosave; its content. None if there is none, or one is held.
    // Nothing is written over it, nor is it removed, and the session's own one stays until
    // release() makes the held one its own. giveBack() leaves it for the next start as it was, as
    // the end of the session does.
    std::optional<QByteArray> adopt();
    bool isHeld() const { return former_.has_value(); }
    void release();
    void giveBack();
    void discardCrashed();
    // Writes content that could not be read to a name of its own, which no autosave takes; the
    // path, empty if that failed.
    QString keepAside(const QByteArray& content) const;

private:
    // NAME under its lock, NAME.json.
    struct Own {
        QString name;
        std::optional<FileLock> lock;
    };
    struct Order {
        QString path;
        Writer content;  // none: remove
    };
    QString pathOf(const Own& own) const;
    // False, and told once, where there is no writing.
    bool takeLock();
    void save();
    void write(const std::stop_token& stop);
    void writeOut(const Order& order);

    QString folder_;
    Own own_;
    std::optional<Own> former_;  // what was the session's own while another is held
    std::function<Writer()> snapshot_;
    std::function<void(QString)> failed_;
    QTimer timer_;
    bool hasFailed_ = false, isKept_ = false;

    std::mutex guard_;
    std::condition_variable_any wake_;
    std::optional<Order> waiting_;
    QString current_;  // what is written to another path is late, and goes
    std::jthread writer_;
};

}  // namespace armilla
