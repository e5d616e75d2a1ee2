// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a tool in the history.
#include <QUndoStack>
#include <QtTest>
#include <memory>

#include "armilla/session/tool_settings.h"

using namespace armilla;

class SettingStepsTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        undo_ = std::make_unique<QUndoStack>();
        values_ = {{"width", 1.0}, {"method", "a"}};
        writes_ = 0;
        settings_ = std::make_unique<ToolSettings>(
            *undo_, QStringLiteral("Tool"),
            ToolSettings::Access{[this] { return values_; },
                                 [this](const QJsonObject& values) {
                                     ++writes_;
                                     for (auto each = values.begin(); each != values.end(); ++each)
                                         values_[each.key()] = each.value();
                                     // Panels notify their changes also here.
                                     settings_->note(QStringLiteral("width"));
                                 }},
            nullptr);
    }
    void aChangeIsAStep() {
        settings_->act(QStringLiteral("method"), [this] { values_["method"] = "b"; });
        QCOMPARE(undo_->count(), 1);
        QCOMPARE(undo_->undoText(), QStringLiteral("Tool: method"));
        QCOMPARE(writes_, 0);  // the change is made already
        settings_->act(QStringLiteral("nothing"), [] {});
        QCOMPARE(undo_->count(), 1);
        undo_->undo();
        QCOMPARE(values_, (QJsonObject{{"width", 1.0}, {"method", "a"}}));
        undo_->redo();
        QCOMPARE(values_["method"].toString(), QStringLiteral("b"));
        QCOMPARE(writes_, 2);
        QCOMPARE(undo_->count(), 1);
    }
    // Two changes of one choice are two steps; those of a held key are one.
    void onlyRepeatedChangesMerge() {
        for (const char* each : {"b", "c"})
            settings_->act(QStringLiteral("method"), [&] { values_["method"] = each; });
        QCOMPARE(undo_->count(), 2);
        for (const double width : {2.0, 3.0, 4.0}) {
            values_["width"] = width;
            settings_->note(QStringLiteral("width"), ToolSettings::Pace::Repeated);
        }
        QCOMPARE(undo_->count(), 3);
        undo_->undo();
        QCOMPARE(values_["width"].toDouble(), 1.0);
        QCOMPARE(values_["method"].toString(), QStringLiteral("c"));
    }
    void aDragIsOneStep() {
        settings_->beginDrag();
        for (int i = 2; i < 50; ++i)
            settings_->act(QStringLiteral("width"), [&] { values_["width"] = i; });
        QCOMPARE(undo_->count(), 0);
        settings_->endDrag(QStringLiteral("width"));
        QCOMPARE(undo_->count(), 1);
        undo_->undo();
        QCOMPARE(values_["width"].toDouble(), 1.0);
    }
    // The program's changes are no steps, and undo leaves them.
    void theProgramsChangesStay() {
        values_["width"] = 5.0;
        settings_->follow();
        settings_->act(QStringLiteral("method"), [this] {
            values_["method"] = "b";
            settings_->follow();  // a panel follows within a person's change
        });
        QCOMPARE(undo_->count(), 1);
        values_["width"] = 6.0;
        settings_->follow();
        undo_->undo();
        QCOMPARE(values_, (QJsonObject{{"width", 6.0}, {"method", "a"}}));
    }
    // Controls notify their changes also when a session is opened.
    void notesOfTheProgramAreNoSteps() {
        settings_->follow([this] {
            values_["width"] = 5.0;
            settings_->note(QStringLiteral("width"), ToolSettings::Pace::Repeated);
        });
        QCOMPARE(undo_->count(), 0);
        settings_->act(QStringLiteral("method"), [this] { values_["method"] = "b"; });
        undo_->undo();
        QCOMPARE(values_, (QJsonObject{{"width", 5.0}, {"method", "a"}}));
    }
    void resetIsAStep() {
        QVERIFY(settings_->isAtStart());
        settings_->act({}, [this] { values_["width"] = 7.0; });
        QVERIFY(!settings_->isAtStart());
        settings_->reset();
        QVERIFY(settings_->isAtStart());
        QCOMPARE(undo_->count(), 2);
        undo_->undo();
        QCOMPARE(values_["width"].toDouble(), 7.0);
    }
    // A tool of a closed window leaves steps without effect.
    void stepsOutliveTheTool() {
        settings_->act({}, [this] { values_["width"] = 7.0; });
        settings_.reset();
        undo_->undo();
        undo_->redo();
        QCOMPARE(writes_, 0);
    }

private:
    std::unique_ptr<QUndoStack> undo_;
    std::unique_ptr<ToolSettings> settings_;
    QJsonObject values_;
    int writes_ = 0;
};

QTEST_GUILESS_MAIN(SettingStepsTest)
#include "tst_setting_steps.moc"
