// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of HATS catalogs, as hats-import lays them out.
#include <QtTest>
#include <cmath>
#include <filesystem>

#include "armilla/core/error.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_blocks.h"
#include "armilla/io/table_io.h"

using namespace armilla;

class tst_hats : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    JobContext job_;

    QString path(const QString& name) const { return folder_.filePath(name); }
    void write(const QString& name, const QByteArray& text) {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    // `flags`: -1 for a missing one.
    void writePartition(const QString& name, std::vector<double> lon, std::vector<double> lat,
                        std::vector<int64_t> flags) {
        QDir().mkpath(QFileInfo(path(name)).path());
        Table table;
        const auto add = [&](const char* column, auto values) {
            table.columns.emplace_back();
            table.columns.back().name = column;
            table.columns.back().values = std::move(values);
        };
        // Columns with usual names of positions are not those of the properties.
        add("ra", std::vector<double>(lon.size(), 999.0));
        add("alpha_x", std::move(lon));
        add("delta_x", std::move(lat));
        add("flag", std::move(flags));
        table.columns.back().null = -1;
        add("name", std::vector<std::string>(table.columns[0].rows(), "s" + name.toStdString()));
        writeTable(table, path(name).toStdString(), {true, {}}, job_);
    }
    // Order 0 pixel 8 and the two pixels 0 and 3 of order 1 in the base pixel 0. In NESTED order 0
    // of order 1 is at longitude 45, latitude 19.5 degrees, and 3 at 45, 66.4 (healpy).
    void makeCatalog(const QString& root, const char* properties = "hats.properties") {
        write(root + "/" + properties,
              "# HATS\nobs_collection=test\ndataproduct_type=object\nhats_nrows=6\n"
              "hats_col_ra=alpha_x\nhats_col_dec=delta_x\n");
        write(root + "/partition_info.csv", "Norder,Npix,num_rows\n0,8,1\n1,3,2\n1,0,3\n");
        writePartition(root + "/dataset/Norder=0/Dir=0/Npix=8.parquet", {45.5}, {-41.0}, {5});
        writePartition(root + "/dataset/Norder=1/Dir=0/Npix=3.parquet", {45.0, 46.0}, {66.0, 67.0},
                       {-1, 7});
        writePartition(root + "/dataset/Norder=1/Dir=0/Npix=0.parquet", {44.0, 45.0, 46.0},
                       {19.0, 19.5, 20.0}, {0, 1, 2});
    }
    void check(const QString& root) {
        const Catalog catalog = readCatalog(path(root).toStdString(), job_);
        QCOMPARE(catalog.rows(), int64_t{6});
        QCOMPARE(catalog.frame(), Frame::Equatorial);
        const double lat[6] = {19.0, 19.5, 20.0, 66.0, 67.0, -41.0};
        for (int64_t row = 0; row < 6; ++row) QCOMPARE(catalog.at(row).lat, lat[row] * kDegree);
        const TableColumn& flag =
            catalog.table.columns[static_cast<size_t>(*catalog.table.find("flag"))];
        const auto& flags = std::get<std::vector<int64_t>>(flag.values);
        QVERIFY(flag.null.has_value());
        QCOMPARE(flags[3], *flag.null);
        QCOMPARE(flags[0], int64_t{0});
        QCOMPARE(flags[4], int64_t{7});
        QCOMPARE(flags[5], int64_t{5});
        QVERIFY(*flag.null != 0 && *flag.null != 7);
    }
    void refuses(const QString& root, const char* words) {
        try {
            readTable(path(root).toStdString(), {}, job_);
            QFAIL("read");
        } catch (const IoError& error) {
            QVERIFY2(std::string_view(error.what()).find(words) != std::string_view::npos,
                     error.what());
            QVERIFY(std::string_view(error.what()).find('\n') == std::string_view::npos);
        }
    }

private slots:
    void rowsOfAllPartitions() {
        makeCatalog("cat");
        check("cat");
        makeCatalog("old", "properties");
        check("old");
        // The files themselves where there is no list.
        makeCatalog("bare");
        QVERIFY(QFile::remove(path("bare/partition_info.csv")));
        check("bare");
        // Rows of a folder that cannot be listed do not disappear.
        QVERIFY(QFile::link(path("nowhere"), path("bare/dataset/Norder=2")));
        refuses("bare", "expected folders that can be read");
    }
    void collections() {
        makeCatalog("all/main");
        write("all/collection.properties", "obs_collection=c\nhats_primary_table_url=main\n");
        check("all");
        write("bad/collection.properties", "hats_primary_table_url=../cat\n");
        refuses("bad", "expected a folder within the collection");
    }
    // A folder without properties, in one level and in Hive partitions.
    void plainFolders() {
        const auto one = [&](const QString& name, std::vector<double> lat) {
            QDir().mkpath(QFileInfo(path(name)).path());
            Table table;
            table.columns.resize(2);
            table.columns[0].name = "ra";
            table.columns[0].values = std::vector<double>(lat.size(), 10.0);
            table.columns[1].name = "dec";
            table.columns[1].values = std::move(lat);
            writeTable(table, path(name).toStdString(), {true, {}}, job_);
        };
        const auto texts = [](const TableColumn& column) {
            std::vector<std::string> all;
            for (int64_t row = 0; row < column.rows(); ++row) all.push_back(column.text(row));
            return all;
        };
        // Spark adds a mark of success and checksums, which are no part of the table.
        one("plain/part-1.snappy.parquet", {3.0});
        one("plain/part-0.snappy.parquet", {1.0, 2.0});
        one("plain/_temporary/part-0.parquet", {9.0});
        write("plain/_SUCCESS", "");
        write("plain/.part-1.snappy.parquet.crc", "crc");
        Table table = readTable(path("plain").toStdString(), {}, job_);
        QCOMPARE(texts(table.columns[1]), (std::vector<std::string>{"1", "2", "3"}));
        QCOMPARE(table.columns.size(), size_t{2});
        const FileSummary summary = inspectFile(path("plain").toStdString());
        QCOMPARE(summary.kind, FileKind::Catalog);
        QCOMPARE(summary.rows, int64_t{3});

        // Names and values with escaped characters; a folder of rows without a value. The order is
        // that of the names, as pyarrow.dataset reads them.
        one("hive/year=2019/band=g%2Fi/a.parquet", {1.0, 2.0});
        one("hive/year=2020/band=r/a.parquet", {3.0});
        one("hive/year=__HIVE_DEFAULT_PARTITION__/band=z/a.parquet", {4.0});
        table = readTable(path("hive").toStdString(), {}, job_);
        const TableColumn& year = table.columns[static_cast<size_t>(table.columnIndex("year"))];
        const TableColumn& band = table.columns[static_cast<size_t>(table.columnIndex("band"))];
        QVERIFY(year.isInteger() && year.null.has_value());
        const auto& years = std::get<std::vector<int64_t>>(year.values);
        QCOMPARE(years, (std::vector<int64_t>{2019, 2019, 2020, *year.null}));
        QCOMPARE(texts(band), (std::vector<std::string>{"g/i", "g/i", "r", "z"}));
        QCOMPARE(texts(table.columns[1]), (std::vector<std::string>{"1", "2", "3", "4"}));

        // Only columns that are named, also without one of the files; by blocks.
        TableReadOptions options;
        options.columns = {"band"};
        table = readTable(path("hive").toStdString(), options, job_);
        QCOMPARE(table.columns.size(), size_t{1});
        QCOMPARE(texts(table.columns[0]), (std::vector<std::string>{"g/i", "g/i", "r", "z"}));
        const auto blocks =
            TableBlocks::open(path("hive").toStdString(), TableBlocks::Choice::FirstTable, job_);
        QVERIFY(blocks && !blocks->hasPartitions());
        QCOMPARE(blocks->rows(), int64_t{4});
        std::vector<std::string> seen;
        for (const auto& block : blocks->blocks(2, {}, job_)) {
            const Table rows = blocks->read(block, {"year", "dec"}, job_);
            for (int64_t row = 0; row < rows.rows(); ++row)
                seen.push_back(
                    rows.columns[static_cast<size_t>(rows.columnIndex("year"))].text(row) + " " +
                    rows.columns[static_cast<size_t>(rows.columnIndex("dec"))].text(row));
        }
        QCOMPARE(seen.size(), size_t{4});
        QCOMPARE(seen[0], std::string("2019 1"));
        QCOMPARE(seen[2], std::string("2020 3"));

        // Files that do not fit together, and a folder without Parquet files.
        one("mixed/a=1/x.parquet", {1.0});
        one("mixed/y.parquet", {1.0});
        refuses("mixed", "within folders NAME=VALUE of equal names");
        one("damaged/x.parquet", {1.0});
        write("damaged/y.parquet", "PAR1 and nothing else");
        refuses("damaged", "y.parquet");
        QDir().mkpath(path("empty"));
        QVERIFY_EXCEPTION_THROWN(readTable(path("empty").toStdString(), {}, job_), IoError);
    }
    // Columns that only some partitions hold, and integers beside real numbers: with the schema of
    // the catalog and without.
    void columnsOfSomePartitions() {
        const auto one = [&](const QString& name, double lat, const char* extra,
                             decltype(TableColumn::values) values) {
            QDir().mkpath(QFileInfo(path(name)).path());
            Table table;
            table.columns.resize(2);
            table.columns[0].name = "alpha_x";
            table.columns[0].values = std::vector<double>{45.0};
            table.columns[1].name = "delta_x";
            table.columns[1].values = std::vector<double>{lat};
            if (extra != nullptr) {
                table.columns.emplace_back();
                table.columns.back().name = extra;
                table.columns.back().values = std::move(values);
            }
            writeTable(table, path(name).toStdString(), {true, {}}, job_);
        };
        for (const char* schema : {"", "_common_metadata", "_metadata"}) {
            const QString root = QString("some") + schema;
            write(root + "/hats.properties",
                  "hats_nrows=3\nhats_col_ra=alpha_x\nhats_col_dec=delta_x\n");
            write(root + "/partition_info.csv", "Norder,Npix\n1,0\n1,3\n0,8\n");
            const QString data = root + "/dataset/";
            one(data + "Norder=1/Dir=0/Npix=0.parquet", 19.5, nullptr, {});
            one(data + "Norder=1/Dir=0/Npix=3.parquet", 66.5, "z", std::vector<int64_t>{7});
            one(data + "Norder=0/Dir=0/Npix=8.parquet", -41.0, "z", std::vector<double>{0.25});
            if (*schema != 0) {
                one(data + "schema.parquet", 0.0, "z", std::vector<double>{0.0});
                QVERIFY(QFile::rename(path(data + "schema.parquet"), path(data + schema)));
            }
            const Catalog catalog = readCatalog(path(root).toStdString(), job_);
            QCOMPARE(catalog.rows(), int64_t{3});
            QCOMPARE(catalog.at(2).lat, -41.0 * kDegree);
            QCOMPARE(catalog.table.columns.size(), size_t{3});
            const TableColumn& z = catalog.table.columns[2];
            QVERIFY(std::isnan(z.number(0)));
            QCOMPARE(z.number(1), 7.0);
            QCOMPARE(z.number(2), 0.25);
            QCOMPARE(inspectFile(path(root).toStdString()).columns.size(), size_t{3});
            // The same by blocks.
            const auto blocks =
                TableBlocks::open(path(root).toStdString(), TableBlocks::Choice::FirstTable, job_);
            QVERIFY(blocks && blocks->outline().find("z"));
            std::vector<double> seen;
            for (const auto& block : blocks->blocks(2, {}, job_)) {
                const Table rows = blocks->read(block, {"z"}, job_);
                for (int64_t row = 0; row < rows.rows(); ++row)
                    seen.push_back(rows.columns[0].number(row));
            }
            QCOMPARE(seen.size(), size_t{3});
            QVERIFY(std::isnan(seen[0]));
            QCOMPARE(seen[1], 7.0);
            QCOMPARE(seen[2], 0.25);
            // Metadata of later partitions is read only without a schema.
            write(data + "Norder=0/Dir=0/Npix=8.parquet", "PAR1");
            if (*schema != 0)
                QCOMPARE(inspectFile(path(root).toStdString()).columns.size(), size_t{3});
            else
                QVERIFY_EXCEPTION_THROWN(inspectFile(path(root).toStdString()), IoError);
        }
    }
    // With a schema, a partition with another kind of values in a column is refused where that
    // column is read: no value is missing without a word.
    void partitionsOfOtherTypes() {
        using Values = decltype(TableColumn::values);
        const auto one = [&](const QString& name, Values values) {
            QDir().mkpath(QFileInfo(path(name)).path());
            Table table;
            table.columns.resize(3);
            const char* const names[] = {"alpha_x", "delta_x", "z"};
            for (size_t c = 0; c < 3; ++c) table.columns[c].name = names[c];
            table.columns[0].values = std::vector<double>{45.0};
            table.columns[1].values = std::vector<double>{19.5};
            table.columns[2].values = std::move(values);
            writeTable(table, path(name).toStdString(), {true, {}}, job_);
        };
        const Values texts = std::vector<std::string>{"a"}, integers = std::vector<int64_t>{7},
                     reals = std::vector<double>{0.25};
        int number = 0;
        for (const auto& [first, second] :
             {std::pair{texts, integers}, {texts, reals}, {integers, texts}, {reals, texts}}) {
            const QString root = QString("types%1").arg(number++), data = root + "/dataset/";
            write(root + "/hats.properties",
                  "hats_nrows=2\nhats_col_ra=alpha_x\nhats_col_dec=delta_x\n");
            write(root + "/partition_info.csv", "Norder,Npix\n1,0\n1,3\n");
            one(data + "Norder=1/Dir=0/Npix=0.parquet", first);
            one(data + "Norder=1/Dir=0/Npix=3.parquet", second);
            QVERIFY(QFile::copy(path(data + "Norder=1/Dir=0/Npix=0.parquet"),
                                path(data + "_common_metadata")));
            const bool areTexts = first.index() == texts.index();
            refuses(root,
                    areTexts ? "expected texts in column 'z'" : "expected numbers in column 'z'");
            TableReadOptions options;
            options.columns = {"alpha_x"};
            QCOMPARE(readTable(path(root).toStdString(), options, job_).rows(), int64_t{2});
        }
    }
    // A partition as a folder of files.
    void foldersOfFiles() {
        makeCatalog("parts");
        const QString file = path("parts/dataset/Norder=1/Dir=0/Npix=3.parquet");
        QVERIFY(QDir().mkpath(path("parts/dataset/Norder=1/Dir=0/Npix=3")));
        QVERIFY(QFile::rename(file, path("parts/dataset/Norder=1/Dir=0/Npix=3/a.parquet")));
        check("parts");
    }
    // A margin cache without rows, as hats-import writes it.
    void emptyMargin() {
        write("margin/hats.properties", "hats_col_ra=alpha_x\nhats_col_dec=delta_x\n");
        write("margin/partition_info.csv", "Norder,Npix\n");
        writePartition("margin/dataset/schema.parquet", {}, {}, {});
        QVERIFY(QFile::rename(path("margin/dataset/schema.parquet"),
                              path("margin/dataset/_common_metadata")));
        const Catalog catalog = readCatalog(path("margin").toStdString(), job_);
        QCOMPARE(catalog.rows(), int64_t{0});
        QCOMPARE(catalog.table.columns.size(), size_t{5});
        QCOMPARE(inspectFile(path("margin").toStdString()).rows, int64_t{0});
    }
    // Files with the suffix that the properties name.
    void otherSuffix() {
        makeCatalog("suffix");
        write("suffix/hats.properties",
              "hats_col_ra=alpha_x\nhats_col_dec=delta_x\n"
              "hats_npix_suffix=.parq\n");
        QDirIterator files(path("suffix/dataset"), {"*.parquet"}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString file = files.next();
            QVERIFY(QFile::rename(file, QString(file).replace(".parquet", ".parq")));
        }
        check("suffix");
    }
    // The columns that are named, in that order.
    void namedColumns() {
        makeCatalog("named");
        TableReadOptions options;
        options.columns = {"flag", "alpha_x"};
        const Table table = readTable(path("named").toStdString(), options, job_);
        QCOMPARE(table.columns.size(), size_t{2});
        QCOMPARE(table.columns[0].name, std::string("flag"));
        QCOMPARE(table.columns[1].number(5), 45.5);
    }
    void summary() {
        makeCatalog("sum");
        const FileSummary summary = inspectFile(path("sum").toStdString());
        QCOMPARE(summary.kind, FileKind::Catalog);
        QCOMPARE(summary.rows, int64_t{6});
        QCOMPARE(summary.columns.size(), size_t{5});
        QCOMPARE(summary.columns[1].unit, std::string("deg"));
        QVERIFY(!claimsPixels(path("sum").toStdString()));
        QVERIFY(listHdus(path("sum").toStdString()).empty());
        // Without the number of rows, those of the files count.
        write("sum/hats.properties", "hats_col_ra=alpha_x\nhats_col_dec=delta_x\n");
        QCOMPARE(inspectFile(path("sum").toStdString()).rows, int64_t{6});
    }
    // Margin caches of a collection, and maps of the numbers of rows.
    void partsOfFolders() {
        makeCatalog("sky/main");
        write("sky/collection.properties",
              "hats_primary_table_url=main\nall_margins=near, far absent\n");
        for (const char* margin : {"near", "far"}) {
            makeCatalog(QString("sky/") + margin);
            write(QString("sky/%1/hats.properties").arg(margin),
                  "dataproduct_type=margin\nhats_col_ra=alpha_x\nhats_col_dec=delta_x\n"
                  "hats_margin_threshold=10.0\n");
        }
        for (const char* map : {"skymap.fits", "skymap.4.fits", "point_map.fits", "other.fits"})
            write(QString("sky/main/") + map, "a map");
        for (const char* given : {"sky", "sky/main"}) {
            const FileSummary summary = inspectFile(path(given).toStdString());
            std::vector<std::string> names;
            for (const FolderPart& part : summary.parts)
                names.push_back(std::filesystem::path(part.path).filename().string());
            QCOMPARE(names, (std::vector<std::string>{"near", "far", "point_map.fits",
                                                      "skymap.4.fits", "skymap.fits"}));
            QVERIFY(summary.parts[0].kind == FolderPart::Kind::Margin);
            QCOMPARE(summary.parts[0].text,
                     std::string("6 rows within 10.0 arcsec of a partition"));
            QVERIFY(summary.parts[2].kind == FolderPart::Kind::Map);
        }
        try {
            readMap(path("sky").toStdString(), {}, job_);
            QFAIL("read");
        } catch (const IoError& error) {
            const std::string_view words = error.what();
            QVERIFY2(words.find("a HATS catalog") != std::string_view::npos, error.what());
            QVERIFY2(words.find("skymap.fits") != std::string_view::npos, error.what());
        }
    }
    // Pixels that a map of a HATS folder does not list hold 0 rows, as in hats.io.skymap.
    void mapsOfFolders() {
        makeCatalog("counts");
        const HealpixMap listed = HealpixMap::partial(
            4, Ordering::Nested, Frame::Equatorial, {3, 17, 190},
            {Field{"VALUE", "", DiskType::Float64, std::vector<double>{5.0, 1.0, 2.0}}});
        MapWriteOptions options;
        options.overwrite = true;
        for (const char* name : {"counts/skymap.fits", "counts/point_map.fits", "alone.fits"})
            writeMap(listed, path(name).toStdString(), options, job_);
        for (const char* name : {"counts/skymap.fits", "counts/point_map.fits"}) {
            const HealpixMap map = readMap(path(name).toStdString(), {}, job_);
            QCOMPARE(map.coverage(), Coverage::Full);
            QCOMPARE(map.elementCount(), int64_t{192});
            for (int64_t pixel = 0; pixel < 192; ++pixel)
                QCOMPARE(map.field(0).at(pixel), pixel == 3     ? 5.0
                                                 : pixel == 17  ? 1.0
                                                 : pixel == 190 ? 2.0
                                                                : 0.0);
            QCOMPARE(inspectFile(path(name).toStdString()).kind, FileKind::Map);
        }
        QCOMPARE(readMap(path("alone.fits").toStdString(), {}, job_).coverage(), Coverage::Partial);
    }
    void damagedFolders() {
        makeCatalog("d");
        write("d/partition_info.csv", "Norder,Npix\n0,12\n");
        refuses("d", "expected partitions with an Norder from 0 to 29 and its Npix");
        write("d/partition_info.csv", "Norder,Npix\n0,-1\n");
        refuses("d", "expected partitions with an Norder");
        write("d/partition_info.csv", "Norder,Npix\n0,8\n0,8\n");
        refuses("d", "expected each partition once");
        write("d/partition_info.csv", "Norder,Npix\n0,8\n1,7\n");
        refuses("d", "Npix=7.parquet");
        write("d/partition_info.csv", "Norder,Npix\n0\n");
        refuses("d", "expected lines of one length");
        write("d/partition_info.csv", "order,pixel\n0,8\n");
        refuses("d", "expected columns Norder and Npix");
        write("d/partition_info.csv", "Norder,Npix\n");
        refuses("d", "expected a HATS catalog with partitions");
        write("d/partition_info.csv", "Norder,Npix\n0,8\n1,3\n");
        write("d/dataset/Norder=1/Dir=0/Npix=3.parquet", "PAR1");
        refuses("d", "Npix=3.parquet");
        // Every shorter list of partitions gives rows or one line.
        makeCatalog("t");
        const QByteArray whole = "Norder,Npix,num_rows\n0,8,1\n1,3,2\n1,0,3\n";
        for (qsizetype size = 1; size < whole.size(); ++size) {
            write("t/partition_info.csv", whole.left(size));
            try {
                readTable(path("t").toStdString(), {}, job_);
            } catch (const IoError& error) {
                QVERIFY(std::string_view(error.what()).find('\n') == std::string_view::npos);
            }
        }
    }
};

QTEST_GUILESS_MAIN(tst_hats)
#include "tst_hats.moc"
