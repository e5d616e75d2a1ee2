// SPDX-License-Identifier: GPL-3.0-or-later
// Invariants of every operation. Defaults and random parameters are restored bit by bit from a
// command line that passed through a shell, from JSON and from HISTORY cards.
#include <QProcess>
#include <QTest>
#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include "armilla/core/units.h"
#include "armilla/operations/correlate.h"
#include "armilla/operations/grid_columns.h"
#include "armilla/operations/operation.h"
#include "armilla/operations/parameter_units.h"
#include "armilla/operations/record.h"
#include "support/car_image.h"
#include "support/less_memory.h"
#include "support/patience.h"
#include "support/random_parameters.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kRandomSets = 40;

// The lines of `printf '%s\n'` for the words of a command line.
std::vector<std::string> wordsOfShell(const std::string& line) {
    QProcess shell;
    shell.start("bash", {"-c", QString::fromStdString("printf '%s\\0' " + line)});
    if (!shell.waitForFinished(kPatience)) qFatal("no shell");
    std::vector<std::string> words;
    for (const QByteArray& word : shell.readAllStandardOutput().split('\0'))
        words.push_back(word.toStdString());
    words.pop_back();  // after the last separator
    return words;
}

// The parameters of command line options, as parsed by the command.
ParameterSet fromOptions(const Operation& operation, const std::vector<std::string>& words) {
    ParameterSet set = operation.defaults();
    const std::vector<Parameter> rows = set.rows();
    // Words by their place are the program, the operation, and positional parameters.
    std::vector<const Parameter*> positional;
    for (const Parameter& row : rows)
        if (row.facts.positional) positional.push_back(&row);
    const size_t first =
        static_cast<size_t>(std::find(words.begin(), words.end(), operation.id) - words.begin()) +
        1;
    for (size_t i = 0; i < words.size(); ++i) {
        if (!words[i].starts_with("--")) {
            if (i >= first && i - first < positional.size())
                positional[i - first]->put(positional[i - first]->parse(words[i]));
            continue;
        }
        const size_t equals = words[i].find('=');
        const std::string name =
            words[i].substr(2, equals == std::string::npos ? equals : equals - 2);
        const Parameter* row = findParameter(rows, name);
        if (row == nullptr) qFatal("no option %s", name.c_str());
        if (row->kind == ParameterKind::Flag)
            row->put(true);
        else if (equals != std::string::npos)
            row->put(row->parse(words[i].substr(equals + 1)));
        else
            row->put(row->parse(words.at(++i)));
    }
    return set;
}

// Text split into HISTORY cards of 72 characters and joined again.
std::string throughCards(const std::string& text) {
    std::string joined;
    for (size_t at = 0; at < text.size(); at += 72) {
        std::string card = text.substr(at, 72);
        card.resize(72, ' ');
        joined += card;
    }
    while (joined.ends_with(' ')) joined.pop_back();
    return joined;
}

void compareSets(const ParameterSet& found, const ParameterSet& expected, const char* by) {
    ParameterSet a = found, b = expected;
    const std::vector<Parameter> rows = a.rows(), wanted = b.rows();
    QCOMPARE(rows.size(), wanted.size());
    for (size_t i = 0; i < rows.size(); ++i)
        QVERIFY2(sameBits(rows[i].get(), wanted[i].get()),
                 (std::string(by) + ": " + std::string(rows[i].name) + " is " +
                  rows[i].text(rows[i].get()) + ", not " + wanted[i].text(wanted[i].get()))
                     .c_str());
}

}  // namespace

class tst_operations : public QObject {
    Q_OBJECT

private slots:
    void entriesAreComplete() {
        std::set<std::string> ids;
        for (const Operation& operation : allOperations()) {
            const std::string id(operation.id);
            QVERIFY2(ids.insert(id).second, id.c_str());
            QVERIFY2(!operation.title.empty() && !operation.help.empty(), id.c_str());
            QVERIFY2(!operation.help.ends_with('.'), id.c_str());
            QVERIFY2(operation.run && operation.defaults, id.c_str());
            QVERIFY2(!operation.outputs.empty(), id.c_str());
            QVERIFY2(operation.version == 1 || operation.migrate != nullptr, id.c_str());
            ParameterSet set = operation.defaults();
            std::set<std::string> names;
            for (const InputSlot& slot : operation.inputs) names.emplace(slot.name);
            for (const OutputSlot& slot : operation.outputs) names.emplace(slot.name);
            const std::vector<Parameter> rows = set.rows();
            for (const Parameter& row : rows) {
                const std::string name = id + " --" + std::string(row.name);
                QVERIFY2(names.insert(std::string(row.name)).second, name.c_str());
                QVERIFY2(!row.help.empty() && !row.help.ends_with('.'), name.c_str());
                const bool isQuantity =
                    row.kind == ParameterKind::Angle || row.kind == ParameterKind::Number ||
                    row.kind == ParameterKind::Integer || row.kind == ParameterKind::Angles ||
                    row.kind == ParameterKind::Numbers || row.kind == ParameterKind::Bins;
                QVERIFY2(!isQuantity || !row.facts.unit.empty(), name.c_str());
                const bool isAngle = row.kind == ParameterKind::Angle ||
                                     row.kind == ParameterKind::Angles ||
                                     row.kind == ParameterKind::Bins;
                for (size_t i = 0; isAngle && i < 3; ++i)
                    QVERIFY2(parseAngle("1" + std::string(unitAt(row, i))) > 0.0, name.c_str());
                const ParameterValue standard = row.get();
                if (standard.index() != 0) row.check(standard, row.text(standard));
                if (!row.facts.aliases.empty())
                    for (const std::string& alias : splitAtCommas(row.facts.aliases))
                        QVERIFY2(names.insert(alias).second, name.c_str());
            }
            for (const std::string& key : splitAtCommas(operation.keyParameters))
                QVERIFY2(key.empty() || findParameter(rows, key) != nullptr, id.c_str());
            QVERIFY(findOperation(id) == &operation);
        }
        QVERIFY(findOperation("no such") == nullptr);
    }

    // Words of a panel for inputs whose option is no word; the other labels are the names.
    void inputsHaveLabels() {
        const auto labelOf = [](const char* id, std::string_view name) {
            for (const InputSlot& slot : findOperation(id)->inputs)
                if (slot.name == name) return slot.label();
            return std::string("none");
        };
        QCOMPARE(labelOf("filter", "map2"), std::string("Further map"));
        QCOMPARE(labelOf("sources", "beam2"), std::string("Further beam"));
        QCOMPARE(labelOf("anafast", "beam2"), std::string("Further beam"));
        QCOMPARE(labelOf("mask", "with"), std::string("Other mask"));
        QCOMPARE(labelOf("moc", "with"), std::string("Other mask"));
        QCOMPARE(labelOf("mask", "moc"), std::string("MOC"));
        QCOMPARE(labelOf("stats", "moc"), std::string("MOC"));
        QCOMPARE(labelOf("correlate", "cross"), std::string("Second catalog"));
        QCOMPARE(labelOf("correlate", "random"), std::string("Random points"));
        QCOMPARE(labelOf("correlate", "random2"), std::string("Random of second"));
        QCOMPARE(labelOf("correlate", "random-from"), std::string("Randoms within"));
        QCOMPARE(labelOf("correlate", "DATA"), std::string("Data"));
        QCOMPARE(labelOf("anafast", "mask2"), std::string("Mask2"));
    }

    // The plane of an image fits into memory, its weights do not: the error names the array.
    void weightsOfAnImageNeedMemory() {
        Image image = carImage(false, false, 1);
        image.width = 4000;
        image.height = 2000;
        image.wcsCards = {imageCard("CTYPE1", "'RA---CAR'"), imageCard("CTYPE2", "'DEC--CAR'"),
                          imageCard("CUNIT1", "'deg     '"), imageCard("CUNIT2", "'deg     '"),
                          imageCard("CRPIX1", 2000.5),       imageCard("CRPIX2", 1000.5),
                          imageCard("CRVAL1", 0.0),          imageCard("CRVAL2", 0.0),
                          imageCard("CDELT1", -0.09),        imageCard("CDELT2", 0.09),
                          imageCard("RADESYS", "'ICRS    '")};
        image.values = std::vector<float>(static_cast<size_t>(image.planeSize()), 1.0F);
        Inputs inputs;
        Input& input = inputs.all.emplace_back();
        input.slot = "MAP";
        input.name = "rings";
        input.data = std::make_shared<const Image>(std::move(image));
        JobContext job({}, {}, 1);
        const Device cpu = Device::cpu();
        Context context{cpu, job, {}, {}, {}};
        context.note = [](const std::string&) {};
        const Operation& anafast = *findOperation("anafast");
        ParameterSet parameters = anafast.defaults();
        parameters.set("lmax", "8");
        parameters.set("decouple", "true");
        // One array of 64 MB, and not two.
        const LessMemory less(100'000'000);
        std::string said = "none";
        try {
            runOperation(anafast, context, inputs, parameters);
        } catch (const OutOfMemory& error) {
            said = error.message();
        }
        QVERIFY2(said.find("array of 8000000 elements") != std::string::npos, said.c_str());
    }

    void parametersComeBack_data() {
        QTest::addColumn<QString>("id");
        for (const Operation& operation : allOperations()) {
            const QString id = QString::fromStdString(std::string(operation.id));
            QTest::newRow(qPrintable(id)) << id;
        }
    }
    void parametersComeBack() {
        QFETCH(QString, id);
        const Operation& operation = *findOperation(id.toStdString());
        std::mt19937_64 random(2026);
        for (int i = 0; i < kRandomSets; ++i) {
            const ParameterSet set =
                i == 0 ? operation.defaults() : randomParameters(random, operation);
            const std::string line = commandLine(operation, set, {});
            compareSets(fromOptions(operation, wordsOfShell(line)), set, "command line");
            // A recipe contains all parameters with an effect.
            const std::string json = toJson({&operation, set, {}}).text();
            const Record record = recordFromJson(Json::parse(json));
            QCOMPARE(record.operation, &operation);
            compareSets(record.parameters, set, "JSON");
            QCOMPARE(toJson(record).text(), json);
            // From the cards of a file.
            const std::string cards = throughCards("command: " + line);
            compareSets(fromOptions(operation, wordsOfShell(cards.substr(9))), set, "HISTORY");
            QVERIFY(titleOf(operation, set).starts_with(operation.id));
        }
    }

    void oneCheckOneWording() {
        for (const Operation& operation : allOperations()) {
            ParameterSet set = operation.defaults();
            const std::vector<Parameter> rows = set.rows();
            for (const Parameter& row : rows) {
                if (row.kind != ParameterKind::Angle && row.kind != ParameterKind::Number &&
                    row.kind != ParameterKind::Integer)
                    continue;
                if (!std::isfinite(row.facts.most) || row.facts.most > 1e15) continue;
                ParameterValue value;
                if (row.kind == ParameterKind::Integer)
                    value = static_cast<int64_t>(row.facts.most) + 1;
                else
                    value = row.facts.most * 1.5 + 1.0;
                const std::string text = row.text(value);
                const auto messageOf = [](const auto& body) -> std::string {
                    try {
                        body();
                    } catch (const InvalidArgument& error) {
                        return error.message();
                    }
                    return "none";
                };
                const std::string typed = messageOf([&] { row.parse(text); });
                QVERIFY2(typed.find("expected") == 0 && typed.find(text) != std::string::npos,
                         typed.c_str());
                QCOMPARE(messageOf([&] { row.fromJson(row.json(value)); }), typed);
                QCOMPARE(messageOf([&] { row.assign(value); }), typed);
            }
        }
    }

    void recordsAreChecked_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("operation")
            << QByteArray(R"({"operation":"wibble","version":1,"parameters":{}})")
            << QByteArray("wibble");
        QTest::newRow("newer") << QByteArray(
                                      R"({"operation":"smooth","version":99,"parameters":{}})")
                               << QByteArray("found 99");
        QTest::newRow("parameter")
            << QByteArray(R"({"operation":"smooth","version":1,"parameters":{"wobble":1}})")
            << QByteArray("wobble");
        QTest::newRow("kind")
            << QByteArray(R"({"operation":"smooth","version":1,"parameters":{"fwhm":"wide"}})")
            << QByteArray("fwhm: expected an angle");
        QTest::newRow("range")
            << QByteArray(R"({"operation":"smooth","version":1,"parameters":{"fwhm":7.0}})")
            << QByteArray("fwhm: expected an angle from 0 to 180deg");
        QTest::newRow("word")
            << QByteArray(R"({"operation":"smooth","version":1,"parameters":{"method":"magic"}})")
            << QByteArray("auto|harmonic");
        QTest::newRow("input") << QByteArray(R"({"operation":"smooth","version":1,"parameters":{},)"
                                             R"("inputs":[{"slot":"MAP","layer":-3}]})")
                               << QByteArray("id of a layer");
    }
    void recordsAreChecked() {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, says);
        try {
            recordFromJson(Json::parse(json.toStdString()));
        } catch (const InvalidArgument& error) {
            QVERIFY2(QByteArray(error.what()).contains(says), error.what());
            return;
        }
        QFAIL("taken");
    }

    void jsonIsRead() {
        for (const char* text :
             {"{\"a\":[1,-0,2.5,1e300,5e-324,true,false,null],\"b\":{\"c\":\"\\\"x\\n\"}}", "[]",
              "{}", "-9223372036854775808"}) {
            const std::string once = Json::parse(text).text();
            QCOMPARE(Json::parse(once).text(), once);
        }
        QCOMPARE(Json::parse("[\"\\u00e9\\ud83d\\ude00\"]").text(), std::string("[\"é😀\"]"));
        QVERIFY(std::signbit(Json::parse(Json(-0.0).text()).number()));
        QCOMPARE(*Json::parse("9223372036854775807").integer(), INT64_MAX);
        for (const char* text : {"", "[", "{\"a\"}", "[1,]", "\"\\ud800\"", "nul", "1 2", "--1",
                                 "{\"a\":1,}", "\"open"})
            QVERIFY_THROWS_EXCEPTION(InvalidArgument, Json::parse(text));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, Json::parse(std::string(1000, '[')));
    }

    // The channels of grid: case-insensitive, in natural order, and no columns with another
    // meaning.
    void gridChannels() {
        Table table;
        for (const char* name : {"RA", "DEC", "Flux_10", "FLUX_2", "Flux_wt", "OTHER", "flux_1"}) {
            TableColumn& column = table.columns.emplace_back();
            column.name = name;
            column.values = std::vector<double>{1.0};
        }
        QCOMPARE(gridValueColumns(table, {"", "", "Flux_wt", "", {"flux_*"}}),
                 (std::vector<int>{6, 3, 2}));
        QCOMPARE(gridValueColumns(table, {"", "", "Flux_wt", "OTHER", {"*"}}),
                 (std::vector<int>{6, 3, 2}));
        QCOMPARE(gridValueColumns(table, {"OTHER", "DEC", "", "", {"*A", "FLUX_2"}}),
                 (std::vector<int>{0, 3}));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 gridValueColumns(table, {"", "", "", "", {"none*"}}));
        // Sexagesimal positions, which `grid` takes as well.
        table.columns[5].values = std::vector<std::string>{"2h0m0s"};
        QCOMPARE(gridValueColumns(table, {"OTHER", "DEC", "", "", {"*A", "FLUX_2"}}),
                 (std::vector<int>{0, 3}));
    }

    // For a map with cells of several orders, the requested field at its own resolution.
    void figuresOfOneField() {
        std::vector<int64_t> pixels;
        std::vector<double> ones, steps;
        for (int64_t p = 0; p < 48; ++p) {
            pixels.push_back(4 * p);
            ones.push_back(1.0);
            steps.push_back(static_cast<double>(p));
        }
        Inputs inputs;
        Input& input = inputs.all.emplace_back();
        input.slot = "MAP";
        input.name = "cells";
        input.fields = {1};
        input.data = std::make_shared<const HealpixMap>(HealpixMap::multiOrder(
            4, Frame::Galactic, pixels, std::vector<uint8_t>(48, 1),
            {{"ONES", "", DiskType::Float64, ones}, {"STEPS", "", DiskType::Float64, steps}}));
        JobContext job;
        const Device cpu = Device::cpu();
        Context context{cpu, job, {}, {}, {}};
        std::vector<std::string> said;
        context.note = [&](const std::string& line) { said.push_back(line); };
        const Operation& stats = *findOperation("stats");
        ParameterSet parameters = stats.defaults();
        const Outputs outputs = runOperation(stats, context, inputs, parameters);
        const Table& table = *std::get<std::shared_ptr<const Table>>(outputs.at(0).data);
        QCOMPARE(table.columns.at(static_cast<size_t>(table.columnIndex("MEAN"))).number(0), 23.5);
        QCOMPARE(table.columns.at(static_cast<size_t>(table.columnIndex("MAX"))).number(0), 47.0);
        QCOMPARE(said,
                 std::vector<std::string>{"cells: cells of several orders, measured at nside 2"});
    }

    // A power law at the centers of bins is found again, whether their spacing is even in the angle
    // or in its logarithm: the centers differ by up to a tenth here.
    void powerLawOfACurve() {
        constexpr double kAmplitude = 0.02, kGamma = 1.8;
        for (const bool isLinear : {false, true}) {
            Curve curve;
            curve.kind = CurveKind::Correlation;
            CurveSeries w{"W", "", {}, {}};
            for (int i = 0; i < 8; ++i) {
                const double low = isLinear ? 1.0 + i : std::exp2(i - 4);
                const double high = isLinear ? 2.0 + i : std::exp2(i - 3);
                curve.xLow.push_back(low);
                curve.xHigh.push_back(high);
                curve.x.push_back(isLinear ? 0.5 * (low + high) : std::sqrt(low * high));
                w.values.push_back(kAmplitude * std::pow(curve.x.back(), 1.0 - kGamma));
                w.errors.push_back(0.1 * w.values.back());
            }
            curve.series.push_back(w);
            const PowerLaw law = powerLawOf(curve);
            // Gauss-Newton steps end at a relative change far below this.
            QVERIFY2(std::abs(law.amplitude / kAmplitude - 1.0) < 1e-6,
                     qPrintable(QString::number(law.amplitude)));
            QVERIFY2(std::abs(law.gamma - kGamma) < 1e-6, qPrintable(QString::number(law.gamma)));
            QCOMPARE(law.points, 8);
            curve.series[0].errors.clear();
            QVERIFY_THROWS_EXCEPTION(InvalidArgument, powerLawOf(curve));
        }
    }

    // No power of ten where a person writes none, and none with a plus sign or zeros in front.
    void numbersStayPlain() {
        const std::pair<double, const char*> texts[] = {
            {100000.0, "100000"}, {3e6, "3000000"},  {1e8, "1e8"},       {-2.5e-7, "-2.5e-7"},
            {0.0001, "0.0001"},   {1e-5, "0.00001"}, {4e-135, "4e-135"}, {0.0, "0"},
            {1e120, "1e120"},     {0.1, "0.1"}};
        for (const auto& [value, text] : texts) QCOMPARE(exactNumber(value), std::string(text));
        std::mt19937_64 random(3);
        for (int i = 0; i < 20000; ++i) {
            const double value = std::exp(randomIn(random, -40.0, 40.0));
            QCOMPARE(std::stod(exactNumber(value)), value);
        }
    }

    void anglesStayExact() {
        QCOMPARE(exactAngle(60.0 * kArcmin, "arcmin"), std::string("60arcmin"));
        QCOMPARE(exactAngle(kDegree, "deg"), std::string("1deg"));
        QCOMPARE(exactAngle(kPi, "deg"), std::string("180deg"));
        QCOMPARE(exactAngle(0.0, "arcmin"), std::string("0arcmin"));
        // Given in another unit than the parameter's.
        QCOMPARE(exactAngle(parseAngle("3deg"), "arcmin"), std::string("3deg"));
        QCOMPARE(exactAngle(parseAngle("180arcmin"), "arcmin"), std::string("180arcmin"));
        QCOMPARE(exactAngle(parseAngle("0.01rad"), "arcmin"), std::string("0.01rad"));
        QCOMPARE(exactAngle(parseAngle("7arcsec"), "deg"), std::string("7arcsec"));
        std::mt19937_64 random(7);
        for (int i = 0; i < 20000; ++i) {
            const double angle = std::exp(randomIn(random, -30.0, 1.0)) * (i % 2 == 0 ? 1.0 : -1.0);
            for (const char* unit : {"deg", "arcmin", "arcsec", "rad"})
                QCOMPARE(parseAngle(exactAngle(angle, unit)), angle);
        }
    }
};

QTEST_APPLESS_MAIN(tst_operations)
#include "tst_operations.moc"
