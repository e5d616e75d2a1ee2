// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_marks.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// Limit of the files examined in a folder.
constexpr int kMostFiles = 100000;

// A folder of tiles or partitions has a description, by which it is known.
QString describedBy(const QString& name) {
    const QDir folder(name);
    for (const char* description : {"collection.properties", "hats.properties", "properties"})
        if (folder.exists(QLatin1String(description)))
            return folder.filePath(QLatin1String(description));
    return name;
}

// Plain folders of Parquet files and folders of Zarr are known by the names and sizes of their
// files: to read all of them would take as long as to open the folder.
FileMark markOfFolder(const QString& name, JobContext& job) {
    QStringList lines;
    FileMark mark;
    mark.bytes = 0;
    for (QDirIterator each(name, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
         each.hasNext();) {
        each.next();
        // The Finder of macOS leaves one in folders that it shows.
        if (each.fileName() == QLatin1String(".DS_Store")) continue;
        const qint64 bytes = each.fileInfo().size();
        lines << QDir(name).relativeFilePath(each.filePath()) + QLatin1Char('\n') +
                     QString::number(bytes);
        mark.bytes += bytes;
        job.poll();
    }
    lines.sort();
    mark.checksum =
        QString::fromLatin1(QCryptographicHash::hash(lines.join(QLatin1Char('\n')).toUtf8(),
                                                     QCryptographicHash::Blake2b_256)
                                .toHex());
    return mark;
}

}  // namespace

QString fileOf(const QString& path) {
    const qsizetype bracket = path.lastIndexOf(QLatin1Char('['));
    return path.endsWith(QLatin1Char(']')) && bracket > 0 && !QFile::exists(path)
               ? path.left(bracket)
               : path;
}

FileMark markOf(const QString& path, JobContext& job) {
    QString name = fileOf(path);
    if (QFileInfo(name).isDir()) name = describedBy(name);
    if (QFileInfo(name).isDir()) return markOfFolder(name, job);
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly))
        throw IoError(path.toStdString() +
                      ": expected a file, found: " + file.errorString().toStdString());
    QCryptographicHash hash(QCryptographicHash::Blake2b_256);
    const auto total = static_cast<double>(std::max<qint64>(1, file.size()));
    FileMark mark;
    mark.bytes = 0;
    std::vector<char> block(1 << 20);
    for (;;) {
        const qint64 got = file.read(block.data(), static_cast<qint64>(block.size()));
        if (got <= 0) break;
        hash.addData(QByteArrayView(block.data(), got));
        mark.bytes += got;
        job.report(static_cast<double>(mark.bytes) / total, "reading");
    }
    mark.checksum = QString::fromLatin1(hash.result().toHex());
    return mark;
}

QString foundByMark(const QString& path, const FileMark& mark, const QStringList& folders,
                    JobContext& job) {
    if (mark.bytes < 0 || mark.checksum.isEmpty()) return {};
    const QString selector = path.mid(fileOf(path).size());
    JobContext looking = job.part(0.0, 0.0);  // the number of files to read is unknown beforehand
    for (const QString& folder : folders) {
        if (folder.isEmpty()) continue;
        QDirIterator each(folder, QDir::Files | QDir::Readable);
        for (int seen = 0; each.hasNext() && seen < kMostFiles; ++seen) {
            each.next();
            if (each.fileInfo().size() != mark.bytes) continue;
            if (markOf(each.filePath(), looking) == mark) return each.filePath() + selector;
        }
    }
    return {};
}

}  // namespace armilla
