// SPDX-License-Identifier: GPL-3.0-or-later
// The Sources tool in the window with an image.
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "armilla/io/image_file.h"
#include "armilla/session/source_review.h"
#include "panels/message_bar.h"
#include "panels/operation_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "session/layer_samples.h"
#include "tools/sources_panel.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestImageSources : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }

    // An image is searched as a map is.
    void searchesAnImage() {
        openWindow();
        JobContext job;
        writeImage(imageOfSources(), inFolder("field.fits").toStdString(), {}, job);
        window_->openFiles({inFolder("field.fits")});
        waitUntilIdle();
        for (ToolDock* each : window_->panels().rail()->tools())
            if (each->content() == window_->panels().sources())
                window_->panels().rail()->open(each);
        auto* search = window_->panels().sources()->findChild<OperationPanel*>();
        QVERIFY(search->setText(QStringLiteral("fwhm"), QStringLiteral("4arcmin")));
        search->runButton()->click();
        waitUntilIdle();
        QVERIFY(window_->session().review().rows().size() >= 9);
        // Notes on the method stay.
        const QStringList errors = window_->messages()->lines().filter(QStringLiteral(", found "));
        QVERIFY2(errors.isEmpty(), qPrintable(errors.join(QLatin1Char('\n'))));
        // A tip explains why the SNR of candidates may be below the 3.5 of the search.
        QLabel* above = label(QStringLiteral("SNR ≥"));
        QVERIFY(above);
        QVERIFY2(above->toolTip().contains(QLatin1String("above 3.5")), qPrintable(above->text()));
        // The buttons of verdicts stay where they are, however many words a candidate has.
        window_->session().review().setCurrent(window_->session().review().rows().front());
        QLabel* current = label(QStringLiteral("ARM "));
        QVERIFY(current);
        QStringList places;
        for (const QString& words :
             {current->text(), current->text() + QStringLiteral(" · blended"),
              current->text() + QStringLiteral(" · near a brighter source")}) {
            current->setText(words);
            QCoreApplication::processEvents();
            for (const auto* button : window_->panels().sources()->findChildren<QToolButton*>())
                if (button->text() == QLatin1String("Accept"))
                    places << QString::number(button->mapTo(window_, QPoint()).y());
        }
        QCOMPARE(places.size(), 3);
        QCOMPARE(places, QStringList(3, places.front()));
        shot(QStringLiteral("sources-of-an-image"));
        closeWindow();
    }

private:
    QLabel* label(const QString& start) {
        for (auto* each : window_->panels().sources()->findChildren<QLabel*>())
            if (each->text().startsWith(start)) return each;
        return nullptr;
    }
};

QTEST_MAIN(TestImageSources)
#include "tst_image_sources.moc"
