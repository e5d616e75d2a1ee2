// SPDX-License-Identifier: GPL-3.0-or-later
// Refused files, each with one line that states what was expected and what was found.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

#include "armilla/core/error.h"
#include "armilla/io/atomic_file.h"
#include "armilla/io/map_io.h"
#include "compute/fits_bytes.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

// A full map of nside 16 in rows of 1024, with all keywords.
HduBytes fullMap() {
    HduBytes table = tableHdu({{"T", "1024E"}}, 4096, 3);
    mapKeywords(table, 16, "RING");
    for (int p = 0; p < 3072; ++p) append(table.data, static_cast<float>(p));
    return table;
}

HduBytes partialMap(std::initializer_list<int64_t> pixels) {
    HduBytes table =
        tableHdu({{"PIXEL", "K"}, {"T", "E"}}, 12, static_cast<int64_t>(pixels.size()));
    mapKeywords(table, 16, "RING").setText("INDXSCHM", "EXPLICIT");
    for (const int64_t pixel : pixels) {
        append(table.data, pixel);
        append(table.data, 1.0F);
    }
    return table;
}

HduBytes cells(std::initializer_list<int64_t> uniq) {
    HduBytes table = tableHdu({{"UNIQ", "K"}, {"P", "E"}}, 12, static_cast<int64_t>(uniq.size()));
    table.setText("PIXTYPE", "HEALPIX").setText("ORDERING", "NUNIQ");
    for (const int64_t number : uniq) {
        append(table.data, number);
        append(table.data, 1.0F);
    }
    return table;
}

std::string file(const HduBytes& table) {
    return primaryHdu().bytes() + table.bytes();
}

std::string shortened(std::string bytes, size_t by) {
    bytes.resize(bytes.size() - by);
    return bytes;
}
// A line end among the bytes of the card with the number of columns.
std::string brokenCard(std::string bytes) {
    bytes.replace(bytes.find("TFIELDS =") + 10, 20, "              1\n   2");
    return bytes;
}

}  // namespace

class tst_map_io_refusals : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::string path(const char* name) const { return (folder_.path() + '/' + name).toStdString(); }

private slots:
    void refuses_data();
    void refuses();
    void refusesPaths();
    void refusesDamagedGzip();
    void refusesFields();
    void existingOutput();
    void packedNamesAreNotWritten();
    void atomicFile();
    void folderWithoutReading();
    void fullDisk();
};

void tst_map_io_refusals::refuses_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("found");
    const auto row = [](const char* name, const std::string& bytes, const char* expected,
                        const char* found) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))
                            << expected << found;
    };
    const auto map = [] { return fullMap(); };
    row("empty", "", "a FITS file", "an empty file");
    row("HDF5", "\x89HDF\r\n" + std::string(100, 'x'), "a FITS file", "HDF5");
    row("a photograph", std::string("\xff\xd8\xff\xe0", 4) + std::string(100, '\1'), "a FITS file",
        "a JPEG image");
    row("xz", "\xfd\x37zXZ" + std::string(100, 'x'), "a FITS file", "unxz");
    row("zstd", "\x28\xb5\x2f\xfd" + std::string(100, 'x'), "a FITS file", "unzstd");
    row("first header cut", primaryHdu().bytes().substr(0, 200), "ends with END", "truncated");
    row("no table", primaryHdu().bytes(), "a HEALPix table", "no data");
    row("another table", file(tableHdu({{"RA", "D"}, {"DEC", "D"}}, 16, 0)), "a HEALPix table",
        "(RA, DEC)");
    row("a line end in a number", brokenCard(file(map())), "TFIELDS from 0 to 999", "2");
    row("data cut", shortened(file(map()), 5000), "12288 bytes of data", "truncated");
    row("rows do not fit NSIDE", file(map().set("NSIDE", 32)), "12288 values",
        "3072 (3 rows of 1024)");
    row("one row", file(map().set("NAXIS2", 1)), "3072 values", "1024 (1 row of 1024)");
    row("fewer rows", file(map().set("NAXIS2", 2)), "3072 values", "2048");
    row("no power of two",
        file(tableHdu({{"T", "E"}}, 4, 108)
                 .setText("PIXTYPE", "HEALPIX")
                 .setText("ORDERING", "NESTED")
                 .set("NSIDE", 3)),
        "a power of two", "found 3");
    row("NSIDE 0", file(map().set("NSIDE", 0)), "NSIDE from 1 to 2^29", "'0'");
    row("NSIDE negative", file(map().set("NSIDE", -16)), "NSIDE from 1 to 2^29", "'-16'");
    row("NSIDE too large", file(map().set("NSIDE", "1073741824")), "NSIDE from 1 to 2^29",
        "'1073741824'");
    row("NSIDE no number", file(map().setText("NSIDE", "many")), "NSIDE", "'many'");
    row("unknown ordering", file(map().setText("ORDERING", "SPIRAL")), "RING, NESTED or NUNIQ",
        "'SPIRAL'");
    HduBytes wide = tableHdu({{"ID", "K"}}, 8, 12);
    mapKeywords(wide, 1, "RING");
    for (int p = 0; p < 12; ++p) append(wide.data, (int64_t{1} << 53) + p);
    row("whole numbers that a double cannot hold", file(wide), "below 2^53", "larger ones");
    row("no rows", file(partialMap({})), "at least one pixel", "no rows");
    row("index too large", file(partialMap({1, 3072})), "indices from 0 to 3071", "3072");
    row("index negative", file(partialMap({1, -1})), "indices from 0 to 3071", "row 2");
    row("index twice", file(partialMap({7, 5, 7})), "each pixel index once", "7 twice");
    row("no index column", file(map().setText("INDXSCHM", "EXPLICIT")), "an index column",
        "columns");
    row("UNIQ too small", file(cells({3})), "UNIQ numbers", "3 in row 1");
    row("UNIQ negative", file(cells({16, -5})), "UNIQ numbers", "row 2");
    row("UNIQ too deep", file(cells({int64_t{1} << 62})), "order 0 to 29", "row 1");
    row("cells overlap", file(cells({4 + 2, 16 + 9})), "do not overlap", "order 1 pixel 9");
    row("cell twice", file(cells({16 + 9, 16 + 9})), "do not overlap", "order 1 pixel 9");
    row("no UNIQ column",
        file(tableHdu({{"P", "E"}}, 4, 1)
                 .setText("PIXTYPE", "HEALPIX")
                 .setText("ORDERING", "NUNIQ")),
        "a column UNIQ", "none");
    row("NAXIS2 absurd", file(map().set("NAXIS2", "1000000000000")), "values", "1024000000000000");
    row("NAXIS2 overflows", file(map().set("NAXIS2", "9223372036854775807")), "data size", "cards");
    row("NAXIS1 negative", file(map().set("NAXIS1", -4096)), "data size", "cards");
    row("PCOUNT absurd", file(map().set("PCOUNT", "9223372036854775807")), "data size", "cards");
    row("TFORM absurd", file(map().setText("TFORM1", "999999999999999999999E")), "a column format",
        "'999999999999999999999E'");
    row("TFORM unknown", file(map().setText("TFORM1", "1024Z")), "a column format", "'1024Z'");
    row("TFORM wider than the row", file(map().setText("TFORM1", "2000E")), "4096 bytes of a row",
        "8000");
    row("no group", file(map().set("GCOUNT", 0)), "GCOUNT = 1", "found 0");
    row("no group, rows that overflow",
        file(partialMap({1}).set("GCOUNT", 0).set("NAXIS2", "768614336404564650")), "GCOUNT = 1",
        "found 0");
    row("several groups", file(map().set("GCOUNT", 2)), "GCOUNT = 1", "found 2");
    row("table of shorts", file(map().set("BITPIX", 16)), "BITPIX = 8", "found 16");
    row("TFIELDS absurd", file(map().set("TFIELDS", 100000)), "TFIELDS from 0 to 999", "100000");
    row("texts only",
        file(tableHdu({{"N", "12A"}}, 12, 1).setText("PIXTYPE", "HEALPIX").set("NSIDE", 1)),
        "a HEALPix table", "(N)");
    // A size that exceeds any machine, in a file that is long enough only by its headers.
    HduBytes huge = tableHdu({{"T", "1024E"}}, 4096, int64_t{12} << (2 * 20 - 10));
    mapKeywords(huge, 1 << 20, "NESTED");
    row("larger than the file", file(huge), "bytes of data", "truncated");
}

void tst_map_io_refusals::refuses() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, expected);
    QFETCH(QString, found);
    writeBytes(path("bad.fits"), bytes.toStdString());
    JobContext job;
    try {
        readMap(path("bad.fits"), {}, job);
    } catch (const Error& error) {
        const QString line = error.what();
        QVERIFY2(line.startsWith(QString::fromStdString(path("bad.fits")) + ": expected "),
                 qPrintable(line));
        QVERIFY2(line.contains(expected), qPrintable(line));
        QVERIFY2(line.contains(found), qPrintable(line));
        QVERIFY2(line.contains(", found"), qPrintable(line));
        QVERIFY2(!line.contains('\n') && line.size() < 500, qPrintable(line));
        return;
    }
    QFAIL("read without complaint");
}

void tst_map_io_refusals::refusesPaths() {
    const auto line = [](const std::string& name) {
        JobContext job;
        try {
            readMap(name, {}, job);
        } catch (const IoError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    QVERIFY(line(path("none.fits")).find("No such file") != std::string::npos);
    QVERIFY(line(folder_.path().toStdString()).find("a folder") != std::string::npos);
    writeBytes(path("map.fits"), file(fullMap()));
    QVERIFY(line(path("map.fits") + "[5]").find("'5', found only 0, 1") != std::string::npos);
    QVERIFY(line(path("map.fits") + "[0]").find("binary table") != std::string::npos);
    // No extended file names of cfitsio: no filters, no protocols, no commands.
    QVERIFY(line(path("map.fits") + "[1][T>5]").find("No such file") != std::string::npos);
    QVERIFY(line("https://localhost/map.fits").find("No such file") != std::string::npos);
    QVERIFY(line("mem://map.fits").find("No such file") != std::string::npos);
    QVERIFY(line(path("map.fits") + "+1").find("No such file") != std::string::npos);
    // A compressed file truncated in its middle.
    QCOMPARE(QProcess::execute("gzip", {"-k", QString::fromStdString(path("map.fits"))}), 0);
    const std::string packed = readBytes(path("map.fits.gz"));
    writeBytes(path("cut.fits.gz"), packed.substr(0, packed.size() / 2));
    QVERIFY(line(path("cut.fits.gz")).find("found") != std::string::npos);
    std::string damaged = packed;
    for (size_t i = packed.size() / 2; i < packed.size() / 2 + 20; ++i) damaged[i] ^= 0x55;
    writeBytes(path("damaged.fits.gz"), damaged);
    QVERIFY(line(path("damaged.fits.gz")).find("found") != std::string::npos);
}

// The data decode completely and fit. Only the trailer (RFC 1952: CRC32 and length) or the
// following bytes reveal that they differ from the original.
void tst_map_io_refusals::refusesDamagedGzip() {
    writeBytes(path("sound.fits"), file(fullMap()) + tableHdu({{"X", "E"}}, 4, 0).bytes());
    QCOMPARE(QProcess::execute("gzip", {"-kf", QString::fromStdString(path("sound.fits"))}), 0);
    const std::string packed = readBytes(path("sound.fits.gz"));
    const auto damage = [&](size_t fromEnd) {
        std::string bytes = packed;
        bytes[bytes.size() - fromEnd] ^= 1;
        return bytes;
    };
    const std::vector<std::pair<std::string, const char*>> cases = {
        {damage(8), "damaged"},                               // checksum
        {damage(1), "damaged"},                               // length
        {packed.substr(0, packed.size() - 3), "ends early"},  // cut in the trailer
        {packed + packed.substr(0, 40), "ends early"},        // cut in a second member
        {packed + "no member", "damaged"},
    };
    JobContext job;
    writeBytes(path("case.fits.gz"), packed);
    QCOMPARE(readMap(path("case.fits.gz"), {}, job).elementCount(), int64_t{3072});
    for (const auto& [bytes, found] : cases) {
        writeBytes(path("case.fits.gz"), bytes);
        std::string line;
        try {
            readMap(path("case.fits.gz"), {}, job);
        } catch (const IoError& error) {
            line = error.what();
        }
        QVERIFY2(line.find("a whole gzip file") != std::string::npos &&
                     line.find(found) != std::string::npos,
                 line.c_str());
    }
}

void tst_map_io_refusals::refusesFields() {
    writeBytes(path("map.fits"), file(fullMap()));
    for (const std::string name : {"X", "0", "2", "-1", ""}) {
        JobContext job;
        try {
            readMap(path("map.fits"), {{name}}, job);
            QFAIL("found a field that is not there");
        } catch (const IoError& error) {
            QVERIFY2(std::string(error.what()).find("a field name (T)") != std::string::npos,
                     error.what());
        }
    }
}

void tst_map_io_refusals::existingOutput() {
    writeBytes(path("map.fits"), file(fullMap()));
    JobContext job;
    const HealpixMap map = readMap(path("map.fits"), {}, job);
    writeBytes(path("there.fits"), "precious");
    QVERIFY_THROWS_EXCEPTION(IoError, writeMap(map, path("there.fits"), {}, job));
    QCOMPARE(readBytes(path("there.fits")), std::string("precious"));
    QVERIFY_THROWS_EXCEPTION(IoError, writeMap(map, path("no/such/folder.fits"), {}, job));
}

void tst_map_io_refusals::packedNamesAreNotWritten() {
    writeBytes(path("map.fits"), file(fullMap()));
    JobContext job;
    const HealpixMap map = readMap(path("map.fits"), {}, job);
    QVERIFY_THROWS_EXCEPTION(IoError, writeMap(map, path("out.fits.fz"), {}, job));
    QVERIFY(!QFile::exists(QString::fromStdString(path("out.fits.fz"))));
}

void tst_map_io_refusals::atomicFile() {
    const std::string name = path("atomic.txt");
    {
        AtomicFile file(name, false);
        writeBytes(file.temporary().string(), "lost");
    }
    QVERIFY(!QFile::exists(QString::fromStdString(name)));
    QVERIFY(QDir(folder_.path()).entryList({".atomic*"}, QDir::Files | QDir::Hidden).isEmpty());
    writeFileAtomically(name, "first", false);
    QVERIFY_THROWS_EXCEPTION(IoError, writeFileAtomically(name, "second", false));
    {
        // Created by another program during the write: not overwritten either.
        AtomicFile file(path("race.txt"), false);
        writeBytes(file.temporary().string(), "mine");
        writeBytes(path("race.txt"), "theirs");
        QVERIFY_THROWS_EXCEPTION(IoError, file.commit());
    }
    QCOMPARE(readBytes(path("race.txt")), std::string("theirs"));
    writeFileAtomically(name, "second", true);
    QCOMPARE(readBytes(name), std::string("second"));
    // Two writers of one name do not share a temporary file.
    AtomicFile one(name, true), other(name, true);
    QVERIFY(one.temporary() != other.temporary());
    // An existing file keeps its permissions when it is replaced.
    QFile::setPermissions(QString::fromStdString(name), QFile::ReadOwner | QFile::WriteOwner);
    writeFileAtomically(name, "third", true);
    QCOMPARE(QFile::permissions(QString::fromStdString(name)) & QFile::ReadOther,
             QFile::Permissions());
    // A link stays a link; its target is replaced.
    QVERIFY(QFile::link(QString::fromStdString(name), QString::fromStdString(path("link.txt"))));
    writeFileAtomically(path("link.txt"), "fourth", true);
    QVERIFY(QFileInfo(QString::fromStdString(path("link.txt"))).isSymLink());
    QCOMPARE(readBytes(name), std::string("fourth"));
    // Also a link to a file that does not exist yet, by a path relative to the link's folder.
    QVERIFY(QDir(folder_.path()).mkdir("deep"));
    QCOMPARE(symlink("deep/new.txt", path("dangling.txt").c_str()), 0);
    QVERIFY_THROWS_EXCEPTION(IoError, writeFileAtomically(path("dangling.txt"), "no", false));
    writeFileAtomically(path("dangling.txt"), "fifth", true);
    QVERIFY(QFileInfo(QString::fromStdString(path("dangling.txt"))).isSymLink());
    QCOMPARE(readBytes(path("deep/new.txt")), std::string("fifth"));
    QCOMPARE(symlink("circle.txt", path("circle.txt").c_str()), 0);
    QVERIFY_THROWS_EXCEPTION(IoError, writeFileAtomically(path("circle.txt"), "no", true));
}

// Such a folder cannot be opened and therefore not synced, but the file is complete and in its
// place.
void tst_map_io_refusals::folderWithoutReading() {
    QTemporaryDir folder;
    const std::string place = folder.path().toStdString();
    QCOMPARE(chmod(place.c_str(), 0333), 0);
    // The superuser may read everything; the user nobody (65534) may not.
    const bool superuser = geteuid() == 0;
    if (superuser) QCOMPARE(seteuid(65534), 0);
    std::string failure;
    try {
        writeFileAtomically(place + "/out.txt", "whole", false);
    } catch (const Error& error) {
        failure = error.what();
    }
    if (superuser) QCOMPARE(seteuid(0), 0);
    QCOMPARE(chmod(place.c_str(), 0700), 0);
    QCOMPARE(failure, std::string());
    QCOMPARE(readBytes(place + "/out.txt"), std::string("whole"));
}

void tst_map_io_refusals::fullDisk() {
    // A limit on the size of files fails a write half-way, as a full disk does.
    writeBytes(path("map.fits"), file(fullMap()));
    JobContext job;
    const HealpixMap map = readMap(path("map.fits"), {}, job);
    writeBytes(path("old.fits"), "old");
    struct rlimit before {};
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit tight = before;
    tight.rlim_cur = 8000;
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &tight);
    std::string line;
    try {
        writeMap(map, path("old.fits"), {true, StoredPrecision::AsRead, {}}, job);
    } catch (const IoError& error) {
        line = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    QVERIFY2(line.find("File too large") != std::string::npos, line.c_str());
    QCOMPARE(readBytes(path("old.fits")), std::string("old"));
    QVERIFY(QDir(folder_.path()).entryList({".old*"}, QDir::Files | QDir::Hidden).isEmpty());
}

QTEST_GUILESS_MAIN(tst_map_io_refusals)
#include "tst_map_io_refusals.moc"
