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

#include "armilla/core/error.h"
#include "armilla/io/atomic_file.h"
#include "armilla/session/failure.h"
#include "session_content.h"

namespace armilla {

namespace {

constexpr int kDelay = 1000;  // milliseconds between a change and its autosave

// Content of the mark file of an autosave with results that were not exported.
const QByteArray kResultsMark = "results";

QString lockOf(const QString& autosave) {
    return autosave.chopped(5) + QStringLiteral(".lock");
}
// Marks an autosave that was kept on purpose.
QString markOf(const QString& autosave) {
    return autosave.chopped(5) + QStringLiteral(".kept");
}

// Folder of layer files that exist nowhere else.
QString filesOf(const QString& autosave) {
    return autosave.chopped(5) + QStringLiteral(".files");
}

// The lock is removed last, because it shows other processes that this one is active.
void removeAutosave(const QString& autosave) {
    for (const QString& file : {autosave, markOf(autosave)}) QFile::remove(file);
    QDir(filesOf(autosave)).removeRecursively();
    QFile::remove(lockOf(autosave));
}

// Removes folders of processes that were killed before their first autosave.
void removeLeftFiles(const QString& folder) {
    const auto left = QDir(folder).entryInfoList({QStringLiteral("autosave-*.files")}, QDir::Dirs);
    for (const QFileInfo& files : left) {
        const QString autosave = files.filePath().chopped(6) + QStringLiteral(".json");
        if (QFile::exists(autosave)) continue;
        if (const auto lock = FileLock::tryTake(lockOf(autosave))) removeAutosave(autosave);
    }
}

}  // namespace

std::optional<FileLock> FileLock::tryTake(const QString& path) {
    const int file = open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return std::nullopt;
    // Another process may remove the file between open and lock; the lock then belongs to a file
    // without a name.
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
      // The process id is for the reader; the rest makes the name unique.
      own_{QStringLiteral("autosave-%1-%2")
               .arg(getpid())
               .arg(QUuid::createUuid().toString(QUuid::WithoutBraces).left(8)),
           std::nullopt},
      snapshot_(std::move(snapshot)),
      failed_(std::move(failed)) {
    timer_.setSingleShot(true);
    timer_.setInterval(kDelay);
    connect(&timer_, &QTimer::timeout, this, &Autosave::save);
    removeLeftFiles(folder_);
    writer_ = std::jthread([this](const std::stop_token& stop) { write(stop); });
}

Autosave::~Autosave() {
    giveBack();
    {
        const std::lock_guard lock(guard_);
        if (!isKept_) waiting_.reset();
    }
    writer_.request_stop();
    writer_.join();  // after writing the kept autosave
    if (own_.lock && !isKept_) removeAutosave(path());
}

QString Autosave::pathOf(const Own& own) const {
    return folder_ + QLatin1Char('/') + own.name + QStringLiteral(".json");
}

QString Autosave::path() const {
    return pathOf(own_);
}

void Autosave::noteChange() {
    // Further changes do not restart the timer, so that continuous work is saved every second.
    if (!timer_.isActive()) timer_.start();
}

void Autosave::keep(LeftBehind why) {
    if (isKept_) return;
    giveBack();
    if (!snapshot_()) return;
    save();
    QFile mark(markOf(path()));
    isKept_ = own_.lock && mark.open(QIODevice::WriteOnly);
    if (isKept_ && why == LeftBehind::OpenResults) mark.write(kResultsMark);
}

QString Autosave::filesFolder() {
    QString folder = filesOf(path());
    if (!takeLock() ||
        !(QFileInfo::exists(folder) ||
          QDir().mkdir(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner)))
        throw IoError(folder.toStdString() +
                      ": expected to make a folder for what is exchanged with other programs, "
                      "found that it cannot be made");
    return folder;
}

bool Autosave::hasFile(const QString& path) const {
    return path.startsWith(filesOf(this->path()) + QLatin1Char('/'));
}

bool Autosave::takeLock() {
    if (own_.lock) return true;
    QDir().mkpath(folder_);
    own_.lock = FileLock::tryTake(lockOf(path()));
    if (!own_.lock && !std::exchange(hasFailed_, true))
        failed_(tr("%1: expected a folder to save the session in, found none that can be "
                   "written to; it will not come back after a crash")
                    .arg(folder_));
    return own_.lock.has_value();
}

void Autosave::save() {
    if (isHeld()) return timer_.start();
    if (!takeLock()) return;
    {
        Order order{path(), snapshot_()};
        const std::lock_guard lock(guard_);
        current_ = order.path;
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
        if (order.content)
            writeOut(order);
        else
            QFile::remove(order.path);
        const std::lock_guard lock(guard_);
        if (order.path != current_) QFile::remove(order.path);
    }
}

void Autosave::writeOut(const Order& order) {
    try {
        // Content that could not be read back throws here, so the last readable autosave stays.
        writeFileAtomically(QFile::encodeName(order.path).toStdString(),
                            order.content().toStdString(), true);
    } catch (...) {
        const QString line = tr("the latest changes will not come back after a crash: %1")
                                 .arg(failureLine(std::current_exception()).value_or(QString()));
        QMetaObject::invokeMethod(
            this,
            [this, line] {
                if (!std::exchange(hasFailed_, true)) failed_(line);
            },
            Qt::QueuedConnection);
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
    if (isHeld()) return std::nullopt;
    for (const QString& file : crashed()) {
        // Another window may have locked this autosave meanwhile.
        auto lock = FileLock::tryTake(lockOf(file));
        QFile content(file);
        if (!lock || content.size() > kLargestSession || !content.open(QIODevice::ReadOnly))
            continue;
        QByteArray bytes = content.readAll();
        former_ = std::exchange(own_, {QFileInfo(file).completeBaseName(), std::move(lock)});
        return bytes;
    }
    return std::nullopt;
}

// The adopted file is removed only after the program writes to that name under its lock, so at
// least one copy exists at all times.
void Autosave::release() {
    if (!isHeld()) return;
    const Own former = *std::exchange(former_, std::nullopt);
    {
        const std::lock_guard lock(guard_);
        waiting_.reset();  // the waiting order belongs to the other name
        current_ = path();
    }
    QFile::remove(markOf(path()));
    if (former.lock) removeAutosave(pathOf(former));
}

void Autosave::giveBack() {
    if (isHeld()) own_ = *std::exchange(former_, std::nullopt);
}

QString Autosave::keepAside(const QByteArray& content) const {
    QString kept = folder_ + QStringLiteral("/unreadable-") +
                   QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss")) +
                   QLatin1Char('-') + own_.name.right(8) + QStringLiteral(".armilla");
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
