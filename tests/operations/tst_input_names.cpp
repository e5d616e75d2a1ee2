// SPDX-License-Identifier: GPL-3.0-or-later
// Names of inputs in messages: each message names its input once, also if a word of it equals the
// name.
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/operations/data.h"

using namespace armilla;

class tst_input_names : public QObject {
    Q_OBJECT

private slots:
    void naming_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("line");
        const auto row = [](const char* name, const char* message, const char* line) {
            QTest::newRow(line) << name << message << line;
        };
        row("map", "expected a map, found a table", "map: expected a map, found a table");
        row("map", "map: expected nside 4, found 8", "map: expected nside 4, found 8");
        row("a.fits", "expected data.fits, found none", "a.fits: expected data.fits, found none");
        row("a.fits", "expected rows in a.fits, found none", "expected rows in a.fits, found none");
        row("a.fits", "expected 'a.fits', found none", "expected 'a.fits', found none");
        row("a.fits", "x/a.fits: expected rows", "a.fits: x/a.fits: expected rows");
        row("/tmp/x/a.fits[2]", "/tmp/x/a.fits: expected rows", "/tmp/x/a.fits: expected rows");
        row("a.fits[2]", "a.fits[1]: expected rows", "a.fits[1]: expected rows");
        row("beam", "column 1: beam: expected rows", "column 1: beam: expected rows");
        row("", "expected rows", "expected rows");
    }
    void naming() {
        QFETCH(QString, name);
        QFETCH(QString, message);
        QFETCH(QString, line);
        try {
            armilla::naming(name.toStdString(),
                            [&] { throw InvalidArgument(message.toStdString()); });
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(QString::fromUtf8(error.what()), line);
        }
    }
};

QTEST_APPLESS_MAIN(tst_input_names)
#include "tst_input_names.moc"
