// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/row_expression.h"

#include <QTest>

using namespace armilla;

class tst_row_expression : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        add("PLNUM", std::vector<int64_t>{0, 1, 0, 1}).null = 7;
        add("TSYS", std::vector<double>{20, 30, std::nan(""), 40});
        add("CAL", std::vector<std::string>{"T", "F", "T ", "F"});
        add("DATE-OBS", std::vector<std::string>{"2019-01-01", "2019-01-02", "2020-01-01", "2021"});
        add("V", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}).width = 2;
        add("ID", std::vector<int64_t>{9007199254740992, 9007199254740993, -4611686018427387905,
                                       4611686018427387905});
        add("OTHER", std::vector<int64_t>{9007199254740993, 9007199254740993, 5, 7}).null = 7;
        add("good", std::vector<int64_t>{1, 0, 7, 1}).null = 7;
    }
    void holds_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("rows");
        const auto row = [](const char* text, const char* rows) {
            QTest::newRow(text) << text << rows;
        };
        row("PLNUM==0", "0 2");
        row("plnum = 1 and TSYS < 35", "1");
        row("PLNUM == 1 && !(TSYS < 35)", "3");
        // With a missing value, neither a condition nor its opposite is true.
        row("TSYS > 25", "1 3");
        row("not (TSYS > 25)", "0");
        row("TSYS > 25 or CAL == 'T'", "0 1 2 3");
        row("TSYS != 30", "0 3");
        row("good(TSYS)", "0 1 3");
        row("[good] == 1", "0 3");
        row("CAL == 'T'", "0 2");
        row("CAL == \"F\" or TSYS==20", "0 1 3");
        row("CAL == true", "0 2");
        row("PLNUM == 'T'", "1 3");
        row("CAL in ('F', 'X')", "1 3");
        row("PLNUM in (1, 2)", "1 3");
        row("PLNUM not in (1)", "0 2");
        row("DATE-OBS >= '2019-01-02'", "1 2 3");
        row("[DATE-OBS] <> '2021'", "0 1 2");
        row("V[2] > 3", "1 2 3");
        row("abs(V[1] - 4) < 1.5", "1 2");
        row("10 < TSYS <= 30", "0 1");
        row("-TSYS + 2 * 3 ^ 2 < 0", "0 1 3");
        row("2 ** 3 ** 2 == 512 and -2 ^ 2 == -4", "0 1 2 3");
        row("7 % 4 == 3 and 1e1 / 4 == 2.5", "0 1 2 3");
        row("min(TSYS, 25) == 25 and max(PLNUM, 0.5) == 1", "1 3");
        row("TSYS > 25 ? PLNUM == 1 : CAL == 'T'", "0 1 3");
        row("PLNUM", "1 3");
        // Integers of 64 bits that a double would round to a neighbor.
        row("ID == 9007199254740993", "1");
        row("ID = 9007199254740992", "0");
        row("ID != 9007199254740993", "0 2 3");
        row("ID > 9007199254740992", "1 3");
        row("ID >= 4611686018427387905", "3");
        row("4611686018427387904 < ID", "3");
        row("ID < -4611686018427387904", "2");
        row("ID == -4611686018427387904", "");
        row("ID in (4611686018427387904, 9007199254740992)", "0");
        row("ID == OTHER", "1");
        row("ID < OTHER", "0 2");
        row("not (ID < OTHER)", "1");
        row("ID + 0 == 9007199254740992", "0 1");
    }
    void holds() {
        QFETCH(QString, text);
        QFETCH(QString, rows);
        JobContext job;
        QString found;
        for (const int64_t row : RowExpression(text.toStdString(), table_).rows(job))
            found += (found.isEmpty() ? "" : " ") + QString::number(row);
        QCOMPARE(found, rows);
    }
    void columns() {
        const RowExpression expression("TSYS > 1 and (PLNUM == 0 or TSYS < 4)", table_);
        QCOMPARE(expression.columns(), (std::vector<int>{0, 1}));
    }
    // Columns with the names of words stand in brackets; functions are no such words.
    void words() {
        Table table;
        for (const std::string name : {"and", "Or", "NOT", "in", "True", "false"}) {
            QVERIFY2(isWordOfExpressions(name), name.c_str());
            table.columns = {TableColumn()};
            table.columns[0].name = name;
            table.columns[0].values = std::vector<double>{1.0, 2.0};
            JobContext job;
            const RowExpression expression("not [" + name + "] == 1", table);
            QCOMPARE(expression.rows(job), std::vector<int64_t>{1});
        }
        for (const char* name : {"good", "abs", "android", "", "an"})
            QVERIFY2(!isWordOfExpressions(name), name);
    }
    void refusals_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* text, const char* words) {
            QTest::newRow(text) << text << words;
        };
        row("PLNUM == ", "a value at character 10");
        row("(PLNUM == 0", "an operator or )");
        row("PLNUM == 0 )", "an operator or the end");
        row("'abc", "ends with its quote");
        row("CAL", "a condition");
        row("CAL == 3", "CAL is text");
        row("CAL + 1 > 2", "CAL is text");
        row("'DATE-OBS' > 3", "the name is written [DATE-OBS]");
        row("V > 2", "V[1]");
        row("V[3] > 2", "from 1 to 2");
        row("NAME == 3", "(PLNUM, TSYS, CAL, DATE-OBS, V, ID, OTHER, good)");
        row("", "a value");
    }
    void refusals() {
        QFETCH(QString, text);
        QFETCH(QString, words);
        try {
            const RowExpression expression(text.toStdString(), table_);
            QFAIL("an expression was taken");
        } catch (const InvalidArgument& error) {
            QVERIFY2(QString::fromStdString(error.message()).contains(words), error.what());
            const bool isSyntax = dynamic_cast<const ExpressionError*>(&error) != nullptr;
            QCOMPARE(isSyntax, !text.startsWith("NAME"));
        }
        // Deep nesting gives an error line, not a stack overflow.
        const std::string deep(100000, text.isEmpty() ? '-' : '(');
        QVERIFY_EXCEPTION_THROWN(RowExpression(deep, table_), InvalidArgument);
        // A long text is quoted around the place only.
        for (const std::string& longText :
             {"TSYS > " + std::string(5000, '1') + " $ 1" + std::string(5000, ' '),
              std::string(5000, 'A')}) {
            try {
                const RowExpression expression(longText, table_);
                QFAIL("an expression was taken");
            } catch (const InvalidArgument& error) {
                QVERIFY2(error.message().size() < 250, error.what());
            }
        }
    }

private:
    template <typename Values>
    TableColumn& add(const char* name, Values values) {
        TableColumn column;
        column.name = name;
        column.values = std::move(values);
        table_.columns.push_back(std::move(column));
        return table_.columns.back();
    }
    Table table_;
};

QTEST_GUILESS_MAIN(tst_row_expression)
#include "tst_row_expression.moc"
