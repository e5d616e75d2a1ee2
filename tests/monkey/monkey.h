// SPDX-License-Identifier: GPL-3.0-or-later
// Random use of the window: a sequence of acts, such as a drag over a slider or a text in a field.
// Each act is chosen by a random generator of the round and the widgets that are there, and
// consists of events that a hand makes.
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <cstdint>
#include <map>
#include <random>
#include <set>

#include "armilla/ui/main_window.h"
#include "monkey/monkey_hand.h"

class QFileDialog;

namespace armilla::test {

struct MonkeyRound {
    uint64_t seed = 1;
    int events = 2000;
    QString folder;          // the only folder whose files may be chosen and written
    QStringList files;       // to drop
    bool isPatient = false;  // waits for the end of all jobs after each act, for equal replays
};

// Drives one window for one round. Works with timers, so that it goes on in nested event loops.
class Monkey : public QObject {
    Q_OBJECT
public:
    Monkey(MainWindow* window, MonkeyRound round);

    void start() { goOn(0); }
    int events() const { return events_; }
    // The present act, and the last acts, latest last.
    QString act() const { return acts_.isEmpty() ? QString() : acts_.back(); }
    const QStringList& acts() const { return acts_; }
    // Number of acts of each kind.
    const std::map<QString, int>& kinds() const { return kinds_; }
    // Object names of the tools that were open.
    const std::set<QString>& tools() const { return tools_; }

    static constexpr int kKeptActs = 60;

signals:
    // Enough events, or the window is gone.
    void finished();
    void acted(const QString& act);

private:
    using Act = void (Monkey::*)();
    void goOn(int milliseconds);
    void step();
    void chooseAct();
    void name(const QString& kind, const QString& what = {});
    // Answers: a popup, a dialog, a message.
    bool actOnPopup();
    bool actOnDialog();
    void actOnSky();
    void actOnTool();
    void actOnWidget();
    void actOnButton();
    void openTool();
    void pressKey();
    void useMenu();
    void useAction();
    void searchCommand();
    void dropFiles();
    void undo();
    void changeWindow();
    void rest();
    void use(QWidget* widget);
    void useView(QWidget* widget);
    void fill(QWidget* field);
    void keepDialogsInFolder();
    QWidget* randomWidget(QWidget* within);
    QString text();
    int below(int count);
    bool chance(double probability);
    QPoint placeIn(const QWidget* widget);

    QPointer<MainWindow> window_;
    MonkeyRound round_;
    std::mt19937_64 random_;
    MonkeyHand hand_;
    int events_ = 0, pause_ = 0;
    QStringList acts_;
    std::map<QString, int> kinds_;
    std::set<QString> tools_;
    bool isDone_ = false;
};

}  // namespace armilla::test
