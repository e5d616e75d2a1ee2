// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a table for display: condition, order, and the summary of a column.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "armilla/core/error.h"
#include "armilla/core/row_expression.h"
#include "armilla/session/shown_rows.h"

using namespace armilla;

namespace {

template <typename T>
TableColumn columnOf(const char* name, std::vector<T> values) {
    TableColumn column;
    column.name = name;
    column.values = std::move(values);
    return column;
}

std::vector<int64_t> all(int64_t count) {
    std::vector<int64_t> rows(static_cast<size_t>(count));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

}  // namespace

class TestShownRows : public QObject {
    Q_OBJECT
private slots:
    void numbersAreSortedStably_data();
    void numbersAreSortedStably();
    void identifiersKeepTheirDigits();
    void textsAreSorted();
    void conditionsPrecedeTheOrder();
    void stopsSoon();
    void summariesAreThoseOfNumpy();
    void fewIntegersHaveABinEach();
    void emptyColumnsHaveNoBins();
    void rangesBecomeConditions();
};

// The counts have no block, one, exactly two, and several of unequal size.
void TestShownRows::numbersAreSortedStably_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("isDescending");
    for (const int count : {0, 1, 1000, 131072, 400017})
        for (const bool isDescending : {false, true})
            QTest::addRow("%d%s", count, isDescending ? " descending" : "")
                << count << isDescending;
}

void TestShownRows::numbersAreSortedStably() {
    QFETCH(int, count);
    QFETCH(bool, isDescending);
    std::mt19937 random(3);
    // Each value appears about eight times; one in sixteen is missing.
    std::vector<double> values(static_cast<size_t>(count));
    for (double& value : values) {
        value = static_cast<double>(random() % static_cast<uint32_t>(count / 8 + 1)) - 100.0;
        if (random() % 16 == 0) value = std::numeric_limits<double>::quiet_NaN();
    }
    Table table;
    table.columns.push_back(columnOf("X", values));
    JobContext job;
    const RowNumbers rows = chosenRows(table, {{}, 0, isDescending}, job);
    std::vector<int64_t> expected = all(count);
    std::stable_sort(expected.begin(), expected.end(), [&](int64_t a, int64_t b) {
        const double x = values[static_cast<size_t>(a)], y = values[static_cast<size_t>(b)];
        if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
        return isDescending ? x > y : x < y;
    });
    QVERIFY(*rows == expected);
}

// Neighbors among identifiers of Gaia are the same double.
void TestShownRows::identifiersKeepTheirDigits() {
    const int64_t id = 4611686018427387904;
    TableColumn column = columnOf<int64_t>("ID", {id + 2, -1, id, id + 1});
    column.null = -1;
    Table table;
    table.columns.push_back(column);
    JobContext job;
    QVERIFY(*chosenRows(table, {{}, 0, false}, job) == (std::vector<int64_t>{2, 3, 0, 1}));
    QVERIFY(*chosenRows(table, {{}, 0, true}, job) == (std::vector<int64_t>{0, 3, 2, 1}));
}

void TestShownRows::textsAreSorted() {
    Table table;
    table.columns.push_back(columnOf<std::string>("N", {"b ", "  ", "a", "B", "", "a  "}));
    JobContext job;
    QVERIFY(*chosenRows(table, {{}, 0, false}, job) == (std::vector<int64_t>{3, 2, 5, 0, 1, 4}));
    QVERIFY(*chosenRows(table, {{}, 0, true}, job) == (std::vector<int64_t>{0, 2, 5, 3, 1, 4}));
}

void TestShownRows::conditionsPrecedeTheOrder() {
    Table table;
    table.columns.push_back(columnOf<double>("X", {5.0, 1.0, 4.0, 2.0, 3.0}));
    JobContext job;
    QVERIFY(chosenRows(table, {}, job) == nullptr);
    QVERIFY(*chosenRows(table, {"X > 1.5", -1, false}, job) == (std::vector<int64_t>{0, 2, 3, 4}));
    QVERIFY(*chosenRows(table, {"X > 1.5", 0, false}, job) == (std::vector<int64_t>{3, 4, 2, 0}));
    QVERIFY_EXCEPTION_THROWN(chosenRows(table, {"X >", -1, false}, job), ExpressionError);
    QVERIFY_EXCEPTION_THROWN(chosenRows(table, {"Y > 1", -1, false}, job), InvalidArgument);
}

void TestShownRows::stopsSoon() {
    Table table;
    table.columns.push_back(columnOf("X", std::vector<double>(200000, 1.0)));
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token(), {}, 2);
    QVERIFY_EXCEPTION_THROWN(chosenRows(table, {{}, 0, false}, job), Cancelled);
    QVERIFY_EXCEPTION_THROWN(summaryOf(table.columns[0], {}, 8, job), Cancelled);
}

// v = np.exp(np.sin(np.arange(1001.)) * 5); k = v[np.arange(1001) % 3 == 0]
// Mean and median of 1001 values of at most 150 round by 1001 * 150 * 2.2e-16 = 3.3e-11 at most.
void TestShownRows::summariesAreThoseOfNumpy() {
    std::vector<double> values;
    for (int i = 0; i < 1001; ++i) values.push_back(std::exp(std::sin(i) * 5.0));
    values.push_back(std::numeric_limits<double>::quiet_NaN());
    const TableColumn column = columnOf("X", values);
    JobContext job;
    const ColumnSummary whole = summaryOf(column, {}, 8, job);
    constexpr double kTolerance = 3.3e-11;
    const auto isClose = [](double a, double b) { return std::abs(a - b) < kTolerance; };
    QCOMPARE(whole.rows, int64_t{1002});
    QCOMPARE(whole.blanks, int64_t{1});
    QVERIFY(whole.isLogarithmic);
    QVERIFY(isClose(whole.least, 0.006738272466422868) &&
            isClose(whole.largest, 148.40608853637775));
    QVERIFY(isClose(whole.mean, 27.248698983594362) && isClose(whole.median, 1.0));
    // np.histogram(np.log(v), 8, range=(np.log(v.min()), np.log(v.max())))[0]
    QVERIFY(whole.all == (std::vector<int64_t>{231, 101, 86, 83, 80, 88, 101, 231}));
    QVERIFY(whole.chosen == whole.all);
    auto third = std::make_shared<std::vector<int64_t>>();
    for (int64_t row = 0; row < 1001; row += 3) third->push_back(row);
    const ColumnSummary part = summaryOf(column, third, 8, job);
    QCOMPARE(part.rows, int64_t{334});
    QCOMPARE(part.blanks, int64_t{0});
    QVERIFY(part.all == whole.all);
    QVERIFY(part.chosen == (std::vector<int64_t>{78, 32, 28, 31, 24, 30, 36, 75}));
    QVERIFY(isClose(part.mean, 27.14646095147177) && isClose(part.median, 0.9566364174581096));
}

void TestShownRows::fewIntegersHaveABinEach() {
    JobContext job;
    const ColumnSummary summary =
        summaryOf(columnOf<int64_t>("FLAGS", {3, 0, 1, 1, 3, 3}), {}, 60, job);
    QCOMPARE(summary.low, -0.5);
    QCOMPARE(summary.high, 3.5);
    QVERIFY(summary.all == (std::vector<int64_t>{1, 2, 0, 3}));
    QCOMPARE(summary.median, 2.0);
    // The double of a large identifier has no neighbors at a distance of a half.
    const ColumnSummary identifier =
        summaryOf(columnOf<int64_t>("ID", {4611686018427387904}), {}, 60, job);
    QVERIFY(identifier.low < identifier.high);
    QCOMPARE(std::accumulate(identifier.all.begin(), identifier.all.end(), int64_t{0}), int64_t{1});
}

void TestShownRows::emptyColumnsHaveNoBins() {
    JobContext job;
    const double none = std::numeric_limits<double>::quiet_NaN();
    const ColumnSummary blank = summaryOf(columnOf<double>("X", {none, none}), {}, 8, job);
    QVERIFY(blank.all.empty() && blank.blanks == 2 && std::isnan(blank.mean));
    const ColumnSummary text = summaryOf(columnOf<std::string>("N", {"a", " "}), {}, 8, job);
    QVERIFY(text.all.empty() && text.blanks == 1);
    const ColumnSummary equal = summaryOf(columnOf<double>("X", {2.0, 2.0}), {}, 8, job);
    QVERIFY(equal.low < 2.0 && equal.high > 2.0);
    QCOMPARE(std::accumulate(equal.all.begin(), equal.all.end(), int64_t{0}), int64_t{2});
    // The difference of these values overflows.
    constexpr double most = std::numeric_limits<double>::max();
    const ColumnSummary wide = summaryOf(columnOf<double>("X", {-most, 0.0, most}), {}, 8, job);
    QCOMPARE(std::accumulate(wide.all.begin(), wide.all.end(), int64_t{0}), int64_t{3});
}

// Every condition made here is one that the parser takes, with the rows of the range.
void TestShownRows::rangesBecomeConditions() {
    const TableColumn snr = columnOf<double>("SNR", {1.0, 5.0, 7.5, 10.0});
    TableColumn odd = columnOf<double>("m - M", {1.0, 5.0, 7.5, 10.0});
    QCOMPARE(rangeClause(snr, {}), std::string());
    QCOMPARE(rangeClause(snr, {5.0, 7.5}), std::string("5 <= SNR <= 7.5"));
    QCOMPARE(rangeClause(snr, {{}, -0.1}), std::string("SNR <= -0.1"));
    QCOMPARE(rangeClause(odd, {1e-7, {}}), std::string("[m - M] >= 1e-7"));
    odd.name = "in";
    QCOMPARE(rangeClause(odd, {1.0, {}}), std::string("[in] >= 1"));
    QCOMPARE(withClause("", "", "A > 1"), std::string("A > 1"));
    QCOMPARE(withClause("B == 2", "", "A > 1"), std::string("B == 2 and A > 1"));
    QCOMPARE(withClause("B == 2 or C", "", "A > 1"), std::string("(B == 2 or C) and A > 1"));
    QCOMPARE(withClause("B == 2 and A > 1", "A > 1", "A > 3"), std::string("B == 2 and A > 3"));
    QCOMPARE(withClause("B == 2 and A > 1", "A > 1", ""), std::string("B == 2"));
    QCOMPARE(withClause("A > 1 and B == 2", "A > 1", ""), std::string("B == 2"));
    QCOMPARE(withClause("not A > 1", "A > 1", ""), std::string("not true"));
    // A clause that was edited by hand is a condition of its own.
    for (const char* edited : {"A > 15", "A > 1.5", "2 * A > 1", "A > 1 + B", "BA > 1"}) {
        QVERIFY2(!holdsClause(edited, "A > 1"), edited);
        QCOMPARE(withClause(edited, "A > 1", "A > 3"), std::string(edited) + " and A > 3");
    }
    QVERIFY(holdsClause("A > 15 and (A > 1 or B)", "A > 1"));
    QCOMPARE(withClause("A > 15 and A > 1", "A > 1", "A > 3"), std::string("A > 15 and A > 3"));
    Table table;
    table.columns = {snr, odd};
    JobContext job;
    const std::string both =
        withClause(rangeClause(snr, {5.0, {}}), "", rangeClause(odd, {{}, 7.5}));
    QVERIFY(*chosenRows(table, {both, -1, false}, job) == (std::vector<int64_t>{1, 2}));
}

QTEST_APPLESS_MAIN(TestShownRows)
#include "tst_shown_rows.moc"
