// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the `armilla` command in a temporary folder.
#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include "armilla/core/healpix_map.h"

namespace armilla::test {

struct Outcome {
    int status = -1;  // -1: ended by a signal
    QByteArray out, error;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

// Whether the program's messages contain a text; if not, they are printed.
bool says(const Outcome& outcome, const QByteArray& text);

class CliFixture {
public:
    QString path(const QString& name) const { return folder_.filePath(name); }
    // Words of a command line; {NAME} stands for a file in the folder.
    QStringList words(const QString& line) const;
    Outcome run(const QString& line) const { return run(words(line)); }
    Outcome run(const QStringList& arguments) const;
    // Runs a shell script with $A as the program and the folder as working folder.
    Outcome shell(const QString& script) const;
    QByteArray content(const QString& name) const;
    void write(const QString& name, const QByteArray& bytes) const;
    void write(const QString& name, const HealpixMap& map) const;
    // Names in the folder that begin with a dot.
    QStringList leftovers() const;

    // A map of a smooth sky, T (Q, U), optionally with a few bad pixels.
    void writeSky(const QString& name, int64_t nside, Ordering ordering, int fields = 1,
                  bool bad = false, DiskType type = DiskType::Float64) const;
    HealpixMap read(const QString& name) const;

private:
    QTemporaryDir folder_;
};

// Values of one field as doubles.
std::vector<double> valuesOf(const HealpixMap& map, int field);

}  // namespace armilla::test
