// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_fixture.h"

#include <QDir>
#include <QFile>
#include <cmath>
#include <limits>

#include "armilla/core/job_context.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/io/map_io.h"
#include "support/patience.h"

namespace armilla::test {

namespace {

Outcome finished(QProcess& process) {
    Outcome outcome;
    if (!process.waitForFinished(kPatience)) {
        process.kill();
        process.waitForFinished(kPatience);
        return outcome;
    }
    if (process.exitStatus() == QProcess::NormalExit) outcome.status = process.exitCode();
    outcome.out = process.readAllStandardOutput();
    outcome.error = process.readAllStandardError();
    return outcome;
}

}  // namespace

bool says(const Outcome& outcome, const QByteArray& text) {
    const bool found = outcome.error.contains(text);
    if (!found) qWarning("found: %s", outcome.error.constData());
    return found;
}

QStringList CliFixture::words(const QString& line) const {
    QStringList result;
    for (QString word : line.split(' ', Qt::SkipEmptyParts)) {
        if (word.startsWith('{') && word.endsWith('}')) word = path(word.mid(1, word.size() - 2));
        result << word;
    }
    return result;
}

Outcome CliFixture::run(const QStringList& arguments) const {
    QProcess process;
    process.setWorkingDirectory(folder_.path());
    process.start(ARMILLA_BINARY, arguments);
    return finished(process);
}

Outcome CliFixture::shell(const QString& script) const {
    QProcess process;
    process.setWorkingDirectory(folder_.path());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("A", ARMILLA_BINARY);
    process.setProcessEnvironment(environment);
    process.start("bash", {"-c", script});
    return finished(process);
}

QByteArray CliFixture::content(const QString& name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void CliFixture::write(const QString& name, const QByteArray& bytes) const {
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path(name)));
}

QStringList CliFixture::leftovers() const {
    return QDir(folder_.path()).entryList({".*"}, QDir::Files | QDir::Hidden);
}

void CliFixture::writeSky(const QString& name, int64_t nside, Ordering ordering, int fields,
                          bool bad, DiskType type) const {
    static constexpr const char* kNames[] = {"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"};
    std::vector<Field> columns;
    for (int f = 0; f < fields; ++f) {
        std::vector<double> values(static_cast<size_t>(pixelCount(nside)));
        for (int64_t p = 0; p < pixelCount(nside); ++p) {
            const Vec3 d = ordering == Ordering::Ring ? directionFromRing(nside, p)
                                                      : directionFromNested(nside, p);
            // Low multipoles only; Q and U vanish at the poles, as those of a real sky do.
            double value = f == 0 ? 3.0 + d.z + 2.0 * d.x * d.y - d.z * d.z
                                  : (f == 1 ? 1.0 : -0.5) * (d.x * d.x + d.y * d.y) * d.z;
            if (type == DiskType::Float32) value = static_cast<float>(value);
            if (bad && d.z > 0.9) value = std::numeric_limits<double>::quiet_NaN();
            values[static_cast<size_t>(p)] = value;
        }
        Field field{kNames[f], "mK", type, {}};
        if (type == DiskType::Float32)
            field.values = std::vector<float>(values.begin(), values.end());
        else
            field.values = std::move(values);
        columns.push_back(std::move(field));
    }
    write(name, HealpixMap(nside, ordering, Frame::Galactic, std::move(columns)));
}

void CliFixture::write(const QString& name, const HealpixMap& map) const {
    JobContext job;
    MapWriteOptions options;
    options.overwrite = true;
    writeMap(map, path(name).toStdString(), options, job);
}

HealpixMap CliFixture::read(const QString& name) const {
    JobContext job;
    return readMap(path(name).toStdString(), {}, job);
}

std::vector<double> valuesOf(const HealpixMap& map, int field) {
    std::vector<double> values;
    for (int64_t i = 0; i < map.elementCount(); ++i) values.push_back(map.field(field).at(i));
    return values;
}

}  // namespace armilla::test
