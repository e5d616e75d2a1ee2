// SPDX-License-Identifier: GPL-3.0-or-later
// The start page of an empty window, its sample skies, the tour, and the manual in the program.
#include <QAbstractButton>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTreeWidget>
#include <QtTest>

#include "armilla/session/file_opener.h"
#include "armilla/session/project_keeper.h"
#include "armilla/ui/sky_view_widget.h"
#include "dialogs/help_dialogs.h"
#include "dialogs/manual.h"
#include "window/command_palette.h"
#include "window/start_page.h"
#include "window/tour.h"
#include "window/window_dialogs.h"
#include "window/window_layout.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestStartPage : public QObject, private WindowBench {
    Q_OBJECT

private slots:
    void initTestCase() { prepareSettings(); }
    void init() { openWindow({1440, 900}); }
    void cleanup() { closeWindow(); }

    void standsInPlaceOfTheEmptySky() {
        QVERIFY(page()->isHidden());
        window_->showStart();
        QVERIFY(page()->isVisible());
        QVERIFY(window_->skyView()->isHidden());
        QVERIFY(!card(QStringLiteral("Reopen last session"))->isEnabled());
        shot(QStringLiteral("start"));
        window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, false)});
        QTRY_VERIFY_WITH_TIMEOUT(page()->isHidden(), kPatience);
        QVERIFY(window_->skyView()->isVisible());
        waitForPicture();
        // The file is offered again when all layers are closed.
        window_->closeAll();
        QTRY_VERIFY_WITH_TIMEOUT(page()->isVisible(), kPatience);
        QVERIFY(window_->skyView()->isHidden());
        QAbstractButton* again = card(QStringLiteral("sky.fits"));
        QVERIFY(again);
        shot(QStringLiteral("start-recent"));
        again->click();
        waitForPicture();
        QVERIFY(page()->isHidden());
    }

    // On a small screen every card is inside the page, and its title is whole.
    void fitsASmallWindow() {
        window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, false)});
        waitForPicture();
        window_->closeAll();
        window_->resize(1024, 700);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isVisible(), kPatience);
        shot(QStringLiteral("start-small"));
        QTRY_COMPARE_WITH_TIMEOUT(unfit(*page()), QString(), kPatience);
        QVERIFY(page()->findChildren<StartCard*>().size() >= 9);
        // Beside the left column, too.
        window_->arrangement().setLeftVisible(true);
        QTRY_COMPARE_WITH_TIMEOUT(unfit(*page()), QString(), kPatience);
        shot(QStringLiteral("start-small-left"));
    }

    // At any width that columns, tools and scroll bars leave, in any order of widths.
    void titlesAreWholeAtEveryWidth() {
        Session session;
        StartPage page(session, nullptr);
        page.resize(900, 700);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page, kPatience));
        for (const int width : {820, 640, 628, 618, 616, 600, 500, 400, 340, 300, 560, 800, 617}) {
            // A page that is hidden meanwhile must be right when it is shown.
            page.setVisible(width % 3 != 0);
            page.resize(width, width % 200 == 0 ? 300 : 700);
            page.show();
            QCoreApplication::processEvents();
            QTRY_COMPARE_WITH_TIMEOUT(unfit(page), QString(), kPatience);
        }
    }

    // The columns stand below each other where larger letters need the width.
    void titlesAreWholeInEveryFont() {
        Session session;
        StartPage page(session, nullptr);
        page.resize(1400, 700);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page, kPatience));
        const QFont font = page.font();
        for (const double scale : {1.5, 2.0, 2.5, 1.0}) {
            QFont larger = font;
            larger.setPointSizeF(scale * font.pointSizeF());
            page.setFont(larger);
            for (const int width : {1400, 1000, 830, 700, 617, 900}) {
                page.resize(width, 700);
                QTRY_COMPARE_WITH_TIMEOUT(unfit(page), QString(), kPatience);
            }
        }
    }

    void closeAllLeavesNothing() {
        window_->openFiles({writeFile(QStringLiteral("a.fits"), 8, false, false),
                            writeFile(QStringLiteral("b.fits"), 8, false, false)});
        Document& document = window_->session().document();
        QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
        QVERIFY(window_->memoryTip().contains(QLatin1String("a.fits: ")));
        window_->closeAll();
        QVERIFY(document.entries().empty());
        QVERIFY(window_->memoryTip().contains(QLatin1String("Undo: ")));
        document.history().stack()->undo();
        QCOMPARE(document.entries().size(), size_t{2});
    }

    void samples_data() {
        QTest::addColumn<QString>("title");
        QTest::addColumn<int>("maps");
        QTest::addColumn<int>("catalogs");
        QTest::newRow("microwave") << "Microwave sky" << 1 << 0;
        QTest::newRow("sources") << "Point sources" << 1 << 1;
        QTest::newRow("scans") << "Single-dish samples" << 1 << 1;
        QTest::newRow("probability") << "Gravitational wave" << 1 << 0;
    }
    // A sample sky is no work of the user: nothing is asked or kept for it.
    void samples() {
        QFETCH(QString, title);
        QFETCH(int, maps);
        QFETCH(int, catalogs);
        window_->showStart();
        QAbstractButton* sample = card(title);
        QVERIFY(sample);
        sample->click();
        waitForPicture();
        waitUntilIdle();
        QVERIFY(page()->isHidden());
        int haveMaps = 0, haveCatalogs = 0;
        for (const Layer& layer : window_->session().document().entries()) {
            haveMaps += layer.map ? 1 : 0;
            haveCatalogs += layer.catalog ? 1 : 0;
        }
        QCOMPARE(haveMaps, maps);
        QCOMPARE(haveCatalogs, catalogs);
        QVERIFY(window_->session().project().unsavedResults().empty());
        shot(QStringLiteral("sample-") + QString::fromLatin1(QTest::currentDataTag()));
    }

    void tourHasSixSteps() {
        window_->showTour();
        waitForPicture();
        auto* tour = window_->findChild<Tour*>();
        QVERIFY(tour);
        QCOMPARE(tour->steps(), 6);
        for (int step = 0; step < tour->steps(); ++step) {
            QCOMPARE(tour->step(), step);
            // The card lies inside the window.
            QVERIFY(window_->rect().contains(tour->geometry()));
            shot(QStringLiteral("tour-%1").arg(step + 1));
            next(tour)->click();
        }
        QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<Tour*>(), kPatience);
        // Escape leaves at any step.
        window_->showTour();
        tour = window_->findChild<Tour*>();
        QVERIFY(tour);
        next(tour)->click();
        QTest::keyClick(tour, Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->findChild<Tour*>(), kPatience);
    }

    void manualHasNoDeadLink() {
        static const QRegularExpression link(QStringLiteral("\\]\\(([^)\\s]+\\.md[^)\\s]*)\\)"));
        int links = 0;
        for (const QString& page : Manual::pages()) {
            const QString text = Manual::markdown(page);
            QVERIFY2(!text.isEmpty(), qPrintable(page));
            for (auto each = link.globalMatch(text); each.hasNext();) {
                const QString target = each.next().captured(1);
                if (target.contains(QLatin1String("://"))) continue;
                const QString place = Manual::linked(page, target);
                QVERIFY2(Manual::has(place), qPrintable(page + ": " + target));
                ++links;
            }
        }
        QVERIFY(links > 20);
        QVERIFY(!Manual::has(QStringLiteral("nothing.md")));
        window_->dialogs().showManualAt(QStringLiteral("formats.md"));
        auto* shown = window_->findChild<GuideDialog*>();
        QVERIFY(shown);
        QCOMPARE(shown->page(), QStringLiteral("formats.md"));
        shown->close();
    }

    // Ctrl+K finds each section of the manual by its heading, and opens it.
    void searchFindsTheManual() {
        window_->showPalette();
        auto* palette = window_->findChild<CommandPalette*>();
        QVERIFY(palette);
        const auto row = [palette](const QString& heading,
                                   const QString& place) -> QTreeWidgetItem* {
            for (int i = 0; i < palette->list()->topLevelItemCount(); ++i) {
                QTreeWidgetItem* item = palette->list()->topLevelItem(i);
                if (item->text(0) == heading && item->text(1) == place) return item;
            }
            return nullptr;
        };
        const auto placeOf = [](const ManualSection& section) {
            return section.anchor.isEmpty() ? QStringLiteral("Manual")
                                            : QStringLiteral("Manual: ") + section.pageTitle;
        };
        QVERIFY(Manual::sections().size() > 100);
        for (const ManualSection& section : Manual::sections()) {
            palette->line()->setText(section.heading);
            QVERIFY2(row(section.heading, placeOf(section)), qPrintable(section.place()));
        }
        // The page of a command that has no tool, by its name and by an option.
        for (const auto& [words, page] : {std::pair{"map2alm", "armilla map2alm"},
                                          std::pair{"derivatives", "armilla alm2map"}}) {
            palette->line()->setText(QLatin1String(words));
            QVERIFY2(row(QLatin1String(page), QStringLiteral("Manual")), words);
        }
        // Words of the text find their section too.
        palette->line()->setText(QStringLiteral("a misspelled name"));
        QTreeWidgetItem* found = row(QStringLiteral("A file cannot be read"),
                                     QStringLiteral("Manual: Messages and what to do"));
        QVERIFY(found);
        palette->list()->setCurrentItem(found);
        shot(QStringLiteral("palette-manual"));
        QTest::keyClick(palette->line(), Qt::Key_Return);
        const auto* guide = window_->findChild<GuideDialog*>();
        QVERIFY(guide && guide->isVisible());
        QCOMPARE(guide->page(), QStringLiteral("messages.md"));
    }

private:
    // The title of the first card that does not fit; empty: all do.
    static QString unfit(const StartPage& page) {
        const QRect all(QPoint(), page.size());
        for (const auto* each : page.findChildren<StartCard*>()) {
            const QRect place(each->mapTo(&page, QPoint()), each->size());
            QFont bold = each->font();
            bold.setWeight(QFont::DemiBold);
            // Edges of 12 pixels around an icon of 20 pixels and the title.
            const int room = each->width() - 3 * 12 - 20;
            if (all.left() > place.left() || place.right() > all.right() ||
                QFontMetrics(bold).horizontalAdvance(each->text()) > room)
                return QStringLiteral("%1 in %2 of %3")
                    .arg(each->text())
                    .arg(each->width())
                    .arg(page.width());
        }
        return {};
    }
    StartPage* page() const { return window_->findChild<StartPage*>(); }
    QAbstractButton* card(const QString& title) const {
        for (auto* each : page()->findChildren<StartCard*>())
            if (each->text() == title) return each;
        return nullptr;
    }
    static QPushButton* next(const Tour* tour) {
        const auto buttons = tour->findChildren<QPushButton*>();
        return buttons.back();
    }
};

QTEST_MAIN(TestStartPage)
#include "tst_start_page.moc"
