// SPDX-License-Identifier: GPL-3.0-or-later
#include "monkey/monkey_run.h"

#include <malloc.h>

#include <QDesktopServices>
#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QSettings>
#include <QSurfaceFormat>
#include <QTimer>
#include <QUrl>
#include <mutex>

#include "armilla/session/english_plurals.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/notices.h"
#include "armilla/ui/app_settings.h"
#include "armilla/ui/theme.h"
#include "support/patience.h"

namespace armilla::test {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

// Messages of Qt, from any thread, that name a misuse.
std::mutex warningsGuard;
QStringList warnings;
QtMessageHandler earlierHandler = nullptr;

void keepWarning(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    const bool isMisuse = type == QtCriticalMsg || type == QtFatalMsg ||
                          text.startsWith(QLatin1String("QPainter")) ||
                          text.startsWith(QLatin1String("QObject")) ||
                          text.startsWith(QLatin1String("QAbstractItemModel")) ||
                          text.contains(QLatin1String("endInsertRows")) ||
                          text.contains(QLatin1String("endRemoveRows"));
    if (isMisuse) {
        const std::lock_guard lock(warningsGuard);
        warnings << text;
    }
    if (earlierHandler) earlierHandler(type, context, text);
}

QStringList takeWarnings() {
    const std::lock_guard lock(warningsGuard);
    return std::exchange(warnings, {});
}

double residentMebibytes() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) return 0.0;
    constexpr double kPage = 4096.0;
    return file.readAll().split(' ').value(1).toDouble() * kPage / kMebibyte;
}

// Swallows links of the help pages.
class NoBrowser : public QObject {
    Q_OBJECT
public slots:
    void open(const QUrl& /*url*/) {}
};

// Runs the event loop until `isTrue`; false after kPatience.
bool waitUntil(const std::function<bool()>& isTrue) {
    const HangWatch watch;
    while (!isTrue()) {
        if (watch.isOver()) return false;
        QEventLoop loop;
        QTimer::singleShot(5, &loop, &QEventLoop::quit);
        loop.exec();
    }
    return true;
}

// The jobs that wait, run or stop, for a message.
QString jobNames(MainWindow& window) {
    QStringList names;
    for (const JobInfo& job : window.session().jobs().jobs())
        if (job.state != JobState::Failed)
            names << QStringLiteral("%1 (%2, state %3)")
                         .arg(job.name, job.stage)
                         .arg(static_cast<int>(job.state));
    return names.join(QStringLiteral("; "));
}

// Ends the event loops of menus and questions.
void endNestedLoops() {
    for (QWidget* popup = QApplication::activePopupWidget(); popup;
         popup = QApplication::activePopupWidget())
        popup->hide();
    for (QWidget* modal = QApplication::activeModalWidget(); modal;
         modal = QApplication::activeModalWidget())
        if (!modal->close()) break;
}

void closeWindow(const QPointer<MainWindow>& window) {
    endNestedLoops();
    if (!window) return;
    window->endWithoutQuestion();
    window->close();
}

}  // namespace

void isolateUser(const QString& folder) {
    for (const char* name :
         {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}) {
        const QString path = folder + QStringLiteral("/user/") + QString::fromLatin1(name);
        QDir().mkpath(path);
        qputenv(name, path.toUtf8());
    }
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope,
                       folder + QStringLiteral("/user"));
}

void prepareApplication(QApplication& application) {
    QCoreApplication::setOrganizationName(QStringLiteral("armilla-test"));
    QCoreApplication::setApplicationName(QStringLiteral("armilla-test"));
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QApplication::setQuitOnLastWindowClosed(false);
    QCoreApplication::installTranslator(new EnglishPlurals(&application));
    applyTheme(application, ThemeKind::Dark);
    // Lives as long as the process, because the handlers refer to it.
    static auto* const nowhere = new NoBrowser;
    for (const char* scheme : {"http", "https", "file", "mailto"})
        QDesktopServices::setUrlHandler(QString::fromLatin1(scheme), nowhere, "open");
    earlierHandler = qInstallMessageHandler(keepWarning);
}

RoundReport runRound(WatchedApplication& application, const MonkeyRound& round,
                     const std::function<void(const QString&)>& beforeAct) {
    RoundReport report;
    QSettings().clear();
    const QPointer<MainWindow> window = new MainWindow;
    window->resize(1440, 900);
    window->show();
    Monkey monkey(window, round);
    const auto fault = [&](const QString& what) {
        report.faults << what + QStringLiteral("\n    after: ") +
                             monkey.acts()
                                 .mid(monkey.acts().size() - 8)
                                 .join(QStringLiteral("\n           "));
    };
    QObject context;
    QObject::connect(&application, &GuardedApplication::failed, &context,
                     [&](const QString& line) { fault(QStringLiteral("exception: ") + line); });
    QObject::connect(&window->session().notices(), &Notices::messageRaised, &context,
                     [&](const QString& line, bool /*isError*/) {
                         if (line.contains(QLatin1String("internal error"))) fault(line);
                     });
    QObject::connect(window, &MainWindow::settingsChanged, &context,
                     [&](const AppSettings& settings) {
                         applyTheme(application, settings.theme);
                         if (window) window->applySettings(settings);
                     });
    QObject::connect(&monkey, &Monkey::acted, &context, [&](const QString& act) {
        beforeAct(act);
        for (const QString& line : takeWarnings()) fault(QStringLiteral("Qt: ") + line);
        for (const Hang& hang : application.takeNew()) {
            if (hang.isInDriver) {
                ++report.driverHangs;
                continue;
            }
            fault(QStringLiteral("event loop held for %1 ms (%2 ms of processor time): %3\n"
                                 "    during: %4\n    in: %5")
                      .arg(hang.milliseconds, 0, 'f', 0)
                      .arg(hang.processorMilliseconds, 0, 'f', 0)
                      .arg(hang.event, hang.during,
                           hang.stack.mid(0, 24).join(QStringLiteral("\n        "))));
        }
    });
    application.setActNamer([&] { return monkey.act(); });
    bool isOver = false;
    QObject::connect(&monkey, &Monkey::finished, &context, [&] {
        isOver = true;
        // The last act may have begun an event loop in which nobody answers any more.
        QTimer::singleShot(0, &context, endNestedLoops);
    });
    window->session().files().openFiles({round.files.front()});
    monkey.start();
    // The number of events is the limit, not a time; waitUntil is for what follows.
    while (!isOver) {
        QEventLoop loop;
        QObject::connect(&monkey, &Monkey::finished, &loop, &QEventLoop::quit);
        loop.exec();
    }
    if (window) {
        window->session().jobs().cancelAll();
        if (!waitUntil([&] { return !window || window->session().jobs().isIdle(); }))
            fault(QStringLiteral("expected every job to end after Cancel, found ") +
                  jobNames(*window));
    }
    // Within an event loop, because a deletion that is asked for outside of any waits for its end.
    QTimer::singleShot(0, &context, [&] { closeWindow(window); });
    if (!waitUntil([&] { return window.isNull(); }))
        fault(QStringLiteral("expected the window to close"));
    for (QWidget* top : QApplication::topLevelWidgets())
        if (top->isVisible()) top->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    application.setActNamer({});
    application.takeNew();  // closing is no act
    report.events = monkey.events();
    report.kinds = monkey.kinds();
    report.tools = monkey.tools();
    malloc_trim(0);
    const auto heap = mallinfo2();
    report.heapMebibytes = static_cast<double>(heap.uordblks + heap.hblkhd) / kMebibyte;
    report.residentMebibytes = residentMebibytes();
    return report;
}

}  // namespace armilla::test

#include "monkey_run.moc"
