// SPDX-License-Identifier: GPL-3.0-or-later
#include "autosave.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>
#include <utility>

#include "io/atomic_file.h"
#include "session/failure.h"

namespace armilla {

namespace {

constexpr int kDelay = 1000;  // milliseconds from a change to its autosave

// What stands in the mark of an autosave with results that were not exported.
const QByteArray kResultsMark = "results";

QString lockOf(const QString& autosave) {
    return autosave.chopped(5) + QStringLiteral(".lock");
}
// Stands beside an autosave that was left on purpose.
QString markOf(const QString& autosave) {
    return autosave.chopped(5) + QStringLiteral(".kept");
}

void removeAutosave(const QString& autosave) {
    for (const QString& file : {autosave, markOf(autosave), lockOf(autosave)}) QFile::remove(file);
}

}  // namespace

std::optional<FileLock> FileLock::tryTake(const QString& path) {
    const int file = open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return std::nullopt;
    // Another may have removed the file between our opening and locking it; then the lock is that
    // of a file without a name.
    struct stat held {
    }, named{};
    if (flock(file, LOCK_EX | LOCK_NB) != 0 || fstat(file, &held) != 0 ||
        stat(QFile::encodeName(path).constData(), &named) != 0 || held.st_ino != named.st_ino) {
        close(file);
        return std::nullopt;
    }
    return FileLock(file);
}

FileLock::FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
}

FileLock::~FileLock() {
    if (file_ >= 0) close(file_);
}

Autosave::Autosave(QString folder, std::function<Writer()> snapshot,
                   std::function<void(QString)> failed, QObject* parent)
    : QObject(parent),
      folder_(std::move(folder)),
      // The number tells a person which process it was; the rest keeps names apart.
      name_(QStringLiteral("autosave-%1-%2")
                .arg(getpid())
                .arg(QUuid::createUuid().toString(QUuid::WithoutBraces).left(8))),
      snapshot_(std::move(snapshot)),
      failed_(std::move(failed)) {
    timer_.setSingleShot(true);
    timer_.setInterval(kDelay);
    connect(&timer_, &QTimer::timeout, this, &Autosave::save);
    writer_ = std::jthread([this](const std::stop_token& stop) { write(stop); });
}

Autosave::~Autosave() {
    writer_.request_stop();
    writer_.join();  // what waits is written first
    if (lock_ && !isKept_ && !isHeld_) removeAutosave(path());
}

QString Autosave::path() const {
    return folder_ + QLatin1Char('/') + name_ + QStringLiteral(".json");
}

void Autosave::noteChange() {
    // Not restarted by further changes: an hour of steady work is saved every second.
    if (!timer_.isActive()) timer_.start();
}

void Autosave::keep(LeftBehind why) {
    if (isKept_ || isHeld_ || !snapshot_()) return;
    save();
    QFile mark(markOf(path()));
    isKept_ = lock_ && mark.open(QIODevice::WriteOnly);
    if (isKept_ && why == LeftBehind::OpenResults) mark.write(kResultsMark);
}

void Autosave::save() {
    if (isHeld_) return timer_.start();
    if (!lock_) {
        QDir().mkpath(folder_);
        lock_ = FileLock::tryTake(lockOf(path()));
        if (!lock_) {
            if (!std::exchange(hasFailed_, true))
                failed_(tr("%1: expected a folder to save the session in, found none that can be "
                           "written to; it will not come back after a crash")
                            .arg(folder_));
            return;
        }
    }
    {
        Order order{path(), snapshot_()};
        const std::lock_guard lock(guard_);
        waiting_ = std::move(order);
    }
    wake_.notify_one();
}

void Autosave::write(const std::stop_token& stop) {
    for (;;) {
        Order order;
        {
            std::unique_lock lock(guard_);
            if (!wake_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
            order = *std::exchange(waiting_, std::nullopt);
        }
        if (!order.content) {
            QFile::remove(order.path);
            continue;
        }
        try {
            // Of a session that cannot be read back the last one that can stays.
            writeFileAtomically(QFile::encodeName(order.path).toStdString(),
                                order.content().toStdString(), true);
        } catch (...) {
            const QString line =
                tr("the latest changes will not come back after a crash: %1")
                    .arg(failureLine(std::current_exception()).value_or(QString()));
            QMetaObject::invokeMethod(
                this,
                [this, line] {
                    if (!std::exchange(hasFailed_, true)) failed_(line);
                },
                Qt::QueuedConnection);
        }
    }
}

QStringList Autosave::crashed() const {
    QStringList dead;
    const auto files =
        QDir(folder_).entryInfoList({QStringLiteral("autosave-*.json")}, QDir::Files, QDir::Time);
    for (const QFileInfo& file : files)
        if (FileLock::tryTake(lockOf(file.filePath()))) dead << file.filePath();
    return dead;
}

LeftBehind Autosave::latestReason() const {
    const QStringList left = crashed();
    QFile mark(left.isEmpty() ? QString() : markOf(left.front()));
    if (left.isEmpty() || !mark.open(QIODevice::ReadOnly)) return LeftBehind::Crash;
    return mark.read(64) == kResultsMark ? LeftBehind::OpenResults : LeftBehind::EndFromOutside;
}

std::optional<QByteArray> Autosave::adopt() {
    for (const QString& file : crashed()) {
        // Another window may have taken it meanwhile.
        auto lock = FileLock::tryTake(lockOf(file));
        QFile content(file);
        if (!lock || content.size() > kLargestSession || !content.open(QIODevice::ReadOnly))
            continue;
        QByteArray bytes = content.readAll();
        content.close();
        // From now on this session writes to that name, under its lock: at no moment is there less
        // than one copy.
        if (lock_) removeAutosave(path());
        QFile::remove(markOf(file));
        lock_ = std::move(lock);
        name_ = QFileInfo(file).completeBaseName();
        isHeld_ = true;
        return bytes;
    }
    return std::nullopt;
}

void Autosave::release() {
    isHeld_ = false;
}

QString Autosave::keepAside(const QByteArray& content) const {
    const QString kept =
        folder_ + QStringLiteral("/unreadable-") +
        QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss")) +
        QLatin1Char('-') + name_.right(8) + QStringLiteral(".armilla");
    try {
        writeFileAtomically(QFile::encodeName(kept).toStdString(), content.toStdString(), false);
    } catch (...) {
        return {};
    }
    return kept;
}

void Autosave::discardCrashed() {
    for (const QString& file : crashed()) {
        const auto lock = FileLock::tryTake(lockOf(file));
        if (lock) removeAutosave(file);
    }
}

}  // namespace armilla

#include "moc_autosave.cpp"
