// SPDX-License-Identifier: GPL-3.0-or-later
// Messages over the sky: which are in view, for how long, and where.
#include <QAbstractButton>
#include <QGraphicsEffect>
#include <QLabel>
#include <QPropertyAnimation>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "panels/message_bar.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

namespace {

QAbstractButton* buttonOf(QWidget* parent, const QString& name) {
    for (auto* button : parent->findChildren<QAbstractButton*>())
        if (!button->isHidden() && (button->accessibleName() == name || button->text() == name) &&
            !button->parentWidget()->isHidden())
            return button;
    return nullptr;
}

// The texts in view, from top to bottom.
QStringList inView(const MessageBar& bar) {
    QMap<int, QString> texts;
    for (const QLabel* label : bar.findChildren<QLabel*>())
        if (label->wordWrap() && !label->parentWidget()->isHidden())
            texts[label->parentWidget()->y()] = label->accessibleName();
    return texts.values();
}

}  // namespace

class TestMessageBar : public QObject {
    Q_OBJECT
private slots:
    void linesStayOrGo();
    void earlierLinesAreFolded();
    void laterNotesLeaveAnError();
    void foldedNotesKeepTheirTime();
    void aRepeatedNoteStays();
    void questionsOutliveOthers();
    void textsHaveRoom();
    void nothingMoves();
    void namesStayVisible();
};

void TestMessageBar::linesStayOrGo() {
    QWidget host;
    MessageBar bar(&host);
    QVERIFY(bar.isHidden());
    bar.show(MessageTone::Error, QStringLiteral("expected a map, found a table"));
    bar.show(MessageTone::Error, QStringLiteral("expected a map, found a table"));
    QCOMPARE(bar.lines().size(), 1);
    QCOMPARE(bar.count(QStringLiteral("expected a map, found a table")), 2);
    QVERIFY(!bar.isHidden());
    bar.show(MessageTone::Note, QStringLiteral("copied"));
    QCOMPARE(bar.lines().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(bar.lines().size(), 1, kPatience);
    QAbstractButton* close = buttonOf(&bar, QStringLiteral("Dismiss message"));
    QVERIFY(close);
    close->click();
    QVERIFY(bar.lines().isEmpty());
    QVERIFY(bar.isHidden());
}

// Three notices after a search take the height of one; the others are one click away.
void TestMessageBar::earlierLinesAreFolded() {
    QWidget host;
    host.resize(1000, 600);
    MessageBar bar(&host);
    host.show();
    QVERIFY(QTest::qWaitForWindowExposed(&host, kPatience));
    QString answered;
    const auto offer = [&](const QString& line) {
        bar.show(MessageTone::Note, line,
                 {{QStringLiteral("Do ") + line, [&answered, line] { answered = line; }}});
    };
    offer(QStringLiteral("one"));
    QTRY_VERIFY_WITH_TIMEOUT(bar.height() > 0, kPatience);
    const int height = bar.height();
    offer(QStringLiteral("two"));
    offer(QStringLiteral("three"));
    QCOMPARE(bar.lines(), (QStringList{"one", "two", "three"}));
    QTRY_COMPARE_WITH_TIMEOUT(inView(bar), QStringList{"three"}, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(bar.height(), height, kPatience);
    QAbstractButton* earlier = buttonOf(&bar, QStringLiteral("2 earlier"));
    QVERIFY(earlier);
    const QPoint before = earlier->mapTo(&host, QPoint());
    QTest::mouseClick(earlier, Qt::LeftButton);
    // The latest line stays in place; the others follow.
    QTRY_COMPARE_WITH_TIMEOUT(inView(bar), (QStringList{"three", "two", "one"}), kPatience);
    QCOMPARE(earlier->mapTo(&host, QPoint()).y(), before.y());
    // An answered line goes, and the fold stays open while there is something to fold.
    QTest::mouseClick(buttonOf(&bar, QStringLiteral("Do two")), Qt::LeftButton);
    QCOMPARE(answered, QStringLiteral("two"));
    QTRY_COMPARE_WITH_TIMEOUT(inView(bar), (QStringList{"three", "one"}), kPatience);
    QTest::mouseClick(buttonOf(&bar, QStringLiteral("Do three")), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(inView(bar), QStringList{"one"}, kPatience);
    QVERIFY(!buttonOf(&bar, QStringLiteral("Fold")));
    // Escape removes the line that is in view.
    offer(QStringLiteral("four"));
    bar.dismissLatest();
    QCOMPARE(bar.lines(), QStringList{"one"});
    bar.dismissLatest();
    QVERIFY(bar.isHidden());
}

// A note that a later one covers is read after that.
void TestMessageBar::foldedNotesKeepTheirTime() {
    QWidget host;
    MessageBar bar(&host);
    bar.show(MessageTone::Note, QStringLiteral("369 sources"));
    bar.show(MessageTone::Note, QStringLiteral("saved"), {{QStringLiteral("Undo"), [] {}}});
    // A third note, later than the first: it fades alone, although the first has waited longer.
    bar.show(MessageTone::Note, QStringLiteral("copied"));
    QTRY_COMPARE_WITH_TIMEOUT(bar.lines().size(), 2, kPatience);
    QCOMPARE(bar.lines(), (QStringList{"369 sources", "saved"}));
    bar.withdraw(QStringLiteral("saved"));
    QCOMPARE(inView(bar), QStringList{"369 sources"});
    QTRY_VERIFY_WITH_TIMEOUT(bar.lines().isEmpty(), kPatience);
}

// A note that comes again while it fades stays for its whole time, without a trace of the fade.
void TestMessageBar::aRepeatedNoteStays() {
    QWidget host;
    host.resize(900, 500);
    MessageBar bar(&host);
    host.show();
    QVERIFY(QTest::qWaitForWindowExposed(&host, kPatience));
    const QString line = QStringLiteral("copied");
    bar.show(MessageTone::Note, line);
    const auto fading = [&] { return bar.findChild<QPropertyAnimation*>(); };
    // Held in its middle; a fade that ended before this process ran again begins anew.
    const auto held = [&] {
        if (bar.lines().isEmpty()) bar.show(MessageTone::Note, line);
        // On the offscreen platform the pointer starts on the line.
        bar.findChild<QFrame*>()->setAttribute(Qt::WA_UnderMouse, false);
        if (!fading()) return false;
        fading()->pause();
        fading()->setCurrentTime(fading()->duration() / 2);
        return true;
    };
    QTRY_VERIFY_WITH_TIMEOUT(held(), kPatience);
    bar.show(MessageTone::Note, line);
    QVERIFY(!fading() && !bar.findChild<QGraphicsEffect*>());
    QCOMPARE(bar.count(line), 2);
    QCOMPARE(inView(bar), QStringList{line});
    // Events of the ended fade remove nothing.
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
    QCOMPARE(inView(bar), QStringList{line});
    // A note that the pointer has kept, and that comes again, stays for its whole time, too.
    auto* row = bar.findChild<QFrame*>();
    auto* timer = row->findChild<QTimer*>();
    row->setAttribute(Qt::WA_UnderMouse);
    timer->start(1);
    QTRY_VERIFY_WITH_TIMEOUT(timer->interval() != 1, kPatience);
    QVERIFY(timer->interval() != MessageBar::kNoteMilliseconds);
    bar.show(MessageTone::Note, line);
    QCOMPARE(timer->interval(), MessageBar::kNoteMilliseconds);
    const QImage before = host.grab().toImage();
    bar.hide();
    QVERIFY(host.grab().toImage() != before);
}

void TestMessageBar::laterNotesLeaveAnError() {
    QWidget host;
    MessageBar bar(&host);
    host.show();
    bar.show(MessageTone::Error, QStringLiteral("first"));
    bar.show(MessageTone::Error, QStringLiteral("second"));
    bar.show(MessageTone::Note, QStringLiteral("note"));
    QCOMPARE(bar.lines(), (QStringList{"first", "second", "note"}));
    QStringList seen = inView(bar);
    seen.sort();
    QCOMPARE(seen, (QStringList{"note", "second"}));
    QVERIFY(buttonOf(&bar, QStringLiteral("1 earlier")));
}

void TestMessageBar::questionsOutliveOthers() {
    QWidget host;
    MessageBar bar(&host);
    bool answered = false;
    bar.show(MessageTone::Error, QStringLiteral("before"));
    bar.show(MessageTone::Question, QStringLiteral("restore?"),
             {{QStringLiteral("Restore"), [&] { answered = true; }}});
    for (int i = 0; i < 2 * MessageBar::kMostLines; ++i)
        bar.show(MessageTone::Error, QString::number(i));
    QCOMPARE(bar.lines().size(), MessageBar::kMostLines);
    QCOMPARE(bar.lines().front(), QStringLiteral("restore?"));
    const QString last = QString::number(2 * MessageBar::kMostLines - 1);
    QCOMPARE(bar.lines().back(), last);
    QCOMPARE(inView(bar).size(), 2);
    for (int i = 0; i < 10; ++i) bar.dismissLatest();
    QCOMPARE(bar.lines(), QStringList{QStringLiteral("restore?")});
    buttonOf(&bar, QStringLiteral("Restore"))->click();
    QVERIFY(answered);
    QVERIFY(bar.lines().isEmpty());
}

void TestMessageBar::textsHaveRoom() {
    QWidget host;
    host.resize(740, 500);
    MessageBar bar(&host);
    host.show();
    const auto nothing = [] {};
    for (const char* file : {"image.fits", "cube.fits"})
        bar.show(MessageTone::Note,
                 QStringLiteral("%1 holds 2 more: WEIGHTS: an image (60 x 60 x 50), COUNTS: an "
                                "image (60 x 60 x 50)")
                     .arg(file),
                 {{"Open WEIGHTS", nothing}, {"Open COUNTS", nothing}, {"Open all", nothing}});
    buttonOf(&bar, QStringLiteral("1 earlier"))->click();
    const auto linesWithRoom = [&bar] {
        int lines = 0;
        for (const QLabel* label : bar.findChildren<QLabel*>())
            if (label->isVisible() && label->wordWrap() &&
                label->height() >= label->heightForWidth(label->width()))
                ++lines;
        return lines;
    };
    QTRY_COMPARE_WITH_TIMEOUT(linesWithRoom(), 2, kPatience);
    // A name wider than the text beside the buttons keeps its beginning and its end.
    host.resize(640, 500);
    MessageBar narrow(&host);
    narrow.show(MessageTone::Error,
                QStringLiteral("wmap_temperature_analysis_mask_r9_7yr_v4_udgraded32.fits does not "
                               "say its frame."),
                {{"Galactic", nothing}, {"Equatorial", nothing}, {"Ecliptic", nothing}});
    const QLabel* text = nullptr;
    for (const QLabel* label : narrow.findChildren<QLabel*>())
        if (label->wordWrap()) text = label;
    QVERIFY(text);
    QTRY_VERIFY_WITH_TIMEOUT(text->text().contains(QChar(0x2026)), kPatience);
    QVERIFY2(text->text().endsWith(QLatin1String(".fits does not say its frame.")),
             qPrintable(text->text()));
    for (const QString& word : text->text().split(QLatin1Char(' ')))
        QVERIFY2(text->fontMetrics().horizontalAdvance(word) <= text->width(), qPrintable(word));
}

// Messages lie over the upper edge of their host, centered, and do not affect its layout.
void TestMessageBar::nothingMoves() {
    QWidget host;
    auto* layout = new QVBoxLayout(&host);
    auto* sky = new QWidget(&host);
    layout->addWidget(sky);
    auto* bar = new MessageBar(&host);
    host.resize(900, 500);
    host.show();
    QVERIFY(QTest::qWaitForWindowExposed(&host, kPatience));
    const QRect before = sky->geometry();
    bar->show(MessageTone::Error, QString(300, QLatin1Char('x')).replace(20, 1, QLatin1Char(' ')));
    QTRY_COMPARE_WITH_TIMEOUT(bar->width(), MessageBar::kMostWidth, kPatience);
    QCOMPARE(sky->geometry(), before);
    QVERIFY(std::abs(bar->geometry().center().x() - host.rect().center().x()) <= 1);
    QVERIFY(bar->height() < 60);
    host.resize(400, 500);
    QTRY_VERIFY_WITH_TIMEOUT(host.rect().contains(bar->geometry()), kPatience);
    // A short line covers no more than its text needs.
    host.resize(900, 500);
    bar->dismissLatest();
    bar->show(MessageTone::Note, QStringLiteral("more"), {{QStringLiteral("Open"), [] {}}});
    QTRY_VERIFY_WITH_TIMEOUT(bar->width() < 300, kPatience);
    // A note with an action stays.
    bar->show(MessageTone::Note, QStringLiteral("later"));
    QTRY_VERIFY_WITH_TIMEOUT(!bar->lines().contains(QStringLiteral("later")), kPatience);
    QVERIFY(bar->lines().contains(QStringLiteral("more")));
}

// Beside the names of the maps, or below where these leave no space.
void TestMessageBar::namesStayVisible() {
    QWidget host;
    host.resize(1000, 600);
    MessageBar bar(&host);
    host.show();
    QVERIFY(QTest::qWaitForWindowExposed(&host, kPatience));
    std::vector<QRect> names{{22, 16, 300, 22}};
    bar.avoid(names);
    const auto covers = [&] {
        return std::any_of(names.begin(), names.end(),
                           [&](const QRect& name) { return bar.geometry().intersects(name); });
    };
    bar.show(MessageTone::Error, QStringLiteral("369 sources, 1943 of them expected to be false; "
                                                "matched filter, noise 1.023 uK"));
    QTRY_VERIFY_WITH_TIMEOUT(bar.width() > 200, kPatience);
    QVERIFY(!covers());
    QVERIFY(bar.geometry().top() < names.front().bottom());
    QVERIFY(host.rect().contains(bar.geometry()));
    // Names in both corners leave the middle.
    names.push_back({900, 16, 80, 22});
    bar.avoid(names);
    QVERIFY(!covers());
    QVERIFY(bar.geometry().top() < names.front().bottom());
    names = {{22, 16, 440, 22}, {520, 16, 440, 22}};
    bar.avoid(names);
    QVERIFY(!covers());
    QVERIFY(bar.geometry().top() > names.front().bottom());
    // The name of a lower map in a tall view is no obstacle.
    names = {{22, 316, 900, 22}};
    bar.avoid(names);
    QVERIFY(bar.geometry().bottom() < 100);
}

QTEST_MAIN(TestMessageBar)
#include "tst_message_bar.moc"
