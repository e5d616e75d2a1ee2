// SPDX-License-Identifier: GPL-3.0-or-later
// The window program, the only file that sees every layer. It creates the application, its theme
// and the first window; all heavy work waits until that window is on screen.
#include <QApplication>
#include <QCommandLineParser>
#include <QLibraryInfo>
#include <QLocale>
#include <QPointer>
#include <QSurfaceFormat>
#include <QTimer>
#include <QTranslator>
#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "armilla/core/environment.h"
#include "armilla/session/end_signals.h"
#include "armilla/session/english_plurals.h"
#include "armilla/session/failure.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/project_keeper.h"
#include "armilla/ui/app_settings.h"
#include "armilla/ui/guarded_application.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/opengl_question.h"
#include "armilla/ui/screenshot.h"
#include "armilla/ui/theme.h"

namespace armilla {
namespace {

struct StartOptions {
    QStringList files;
    std::optional<ThemeKind> theme;  // for this run only
    QString screenshot;              // file to write, then quit
    bool smoothed = false;           // in the screenshot
    QSize size;
};

void setIdentity() {
    QCoreApplication::setOrganizationName(QStringLiteral("armilla"));
    QCoreApplication::setApplicationName(QStringLiteral("armilla"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ARMILLA_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.armilla.Armilla"));
}

// The sky needs OpenGL 3.3 core; the driver may provide more. Qt requires this call before the
// application exists.
void requestSurface() {
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(0);
    format.setSwapInterval(1);
    QSurfaceFormat::setDefaultFormat(format);
}

void loadTranslations(QApplication& application) {
    const QLocale locale;
    QCoreApplication::installTranslator(new EnglishPlurals(&application));
    auto* own = new QTranslator(&application);
    // Translations of the installed program: BIN/../share/armilla/translations/armilla_LANGUAGE.qm.
    if (own->load(locale, QStringLiteral("armilla"), QStringLiteral("_"),
                  QCoreApplication::applicationDirPath() +
                      QStringLiteral("/../share/armilla/translations")))
        QCoreApplication::installTranslator(own);
    auto* qt = new QTranslator(&application);
    if (qt->load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                 QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(qt);
}

// Exits for --help and --version, and with status 2 and one line for invalid arguments.
StartOptions readArguments(const QCoreApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Explore and analyze HEALPix maps of the whole sky."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("files"),
                                 QCoreApplication::translate("main", "Maps to open."),
                                 QStringLiteral("[FILE...]"));
    const QCommandLineOption theme(QStringLiteral("theme"),
                                   QCoreApplication::translate("main", "system, dark or light."),
                                   QStringLiteral("NAME"));
    QCommandLineOption screenshot(QStringLiteral("screenshot"), {}, QStringLiteral("FILE"));
    QCommandLineOption size(QStringLiteral("size"), {}, QStringLiteral("WxH"));
    // These options make pictures of the window for documents and checks; the help text omits them.
    screenshot.setFlags(QCommandLineOption::HiddenFromHelp);
    size.setFlags(QCommandLineOption::HiddenFromHelp);
    QCommandLineOption smoothed(QStringLiteral("smoothed"));
    smoothed.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOptions({theme, screenshot, size, smoothed});
    parser.process(application);

    const auto refuse = [](const QString& expected, const QString& found) {
        std::fprintf(stderr, "armilla: expected %s, found \"%s\"\n", qPrintable(expected),
                     qPrintable(found));
        std::exit(2);
    };
    StartOptions options;
    options.files = parser.positionalArguments();
    if (parser.isSet(theme)) {
        options.theme = themeFromText(parser.value(theme));
        if (!options.theme)
            refuse(QStringLiteral("--theme system, dark or light"), parser.value(theme));
    }
    options.screenshot = parser.value(screenshot);
    options.smoothed = parser.isSet(smoothed);
    if (parser.isSet(size)) {
        const QStringList sides = parser.value(size).split(QLatin1Char('x'));
        options.size = sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
        if (options.size.isEmpty())
            refuse(QStringLiteral("--size WIDTHxHEIGHT"), parser.value(size));
    }
    return options;
}

// The open windows; any of them can open a new one.
class Windows : public QObject {
public:
    explicit Windows(QApplication& application) : application_(application) {}

    MainWindow* open() {
        auto* window = new MainWindow;
        connect(window, &MainWindow::newWindowRequested, this, [this] { open()->show(); });
        connect(window, &MainWindow::settingsChanged, this, [this](const AppSettings& settings) {
            applyTheme(application_, settings.theme);
            for (const auto& one : windows_)
                if (one) one->applySettings(settings);
        });
        windows_.emplace_back(window);
        return window;
    }
    // Saves the work of every window for the next start.
    void keepForNextStart() {
        for (const auto& one : windows_)
            if (one) one->session().project().keepForNextStart();
    }
    // Saves the work of every window, then closes the windows.
    void end() {
        keepForNextStart();
        for (const auto& one : windows_)
            if (one) one->endWithoutQuestion();
        QApplication::closeAllWindows();
    }

private:
    QApplication& application_;
    std::vector<QPointer<MainWindow>> windows_;
};

// Answers --help and --version without a display.
void answerWithoutWindow(int argc, char** argv) {
    const auto asked = [](const char* argument) {
        const std::string_view text(argument);
        return text == "-h" || text == "--help" || text == "--help-all" || text == "-v" ||
               text == "--version";
    };
    if (std::none_of(argv + 1, argv + argc, asked)) return;
    const QCoreApplication application(argc, argv);
    readArguments(application);
}

// Messages of Qt while it looks for a display; printed only if it finds one.
std::vector<std::pair<QtMsgType, QString>>& earlyWords() {
    static std::vector<std::pair<QtMsgType, QString>> words;
    return words;
}

// Replaces the several lines of Qt and its abort, which leaves a core dump.
void holdEarlyWord(QtMsgType type, const QMessageLogContext& /*context*/, const QString& text) {
    if (type != QtFatalMsg) {
        earlyWords().emplace_back(type, text);
        return;
    }
    const QByteArray x = qgetenv("DISPLAY"), wayland = qgetenv("WAYLAND_DISPLAY");
    const QByteArray found = !wayland.isEmpty() ? "WAYLAND_DISPLAY=" + wayland
                             : !x.isEmpty()     ? "DISPLAY=" + x
                                                : QByteArray();
    if (found.isEmpty())
        std::fputs("armilla: expected a display for the window, found none\n", stderr);
    else
        std::fprintf(stderr,
                     "armilla: expected a display for the window, found %s without an "
                     "answer\n",
                     found.constData());
    std::fflush(stderr);
    std::_Exit(1);
}

std::unique_ptr<GuardedApplication> applicationOnDisplay(int& argc, char** argv) {
    const QtMessageHandler before = qInstallMessageHandler(holdEarlyWord);
    auto application = std::make_unique<GuardedApplication>(argc, argv);
    qInstallMessageHandler(before);
    for (const auto& [type, text] : std::exchange(earlyWords(), {}))
        if (type != QtDebugMsg && type != QtInfoMsg) qWarning("%s", qPrintable(text));
    return application;
}

// Runs the program as its own child process to name the OpenGL driver.
constexpr const char* kOpenGlName = "--opengl-name";
int tellOpenGl(int argc, char** argv) {
    const QGuiApplication application(argc, argv);
    std::printf("%s\n", openGlRenderer().c_str());
    return 0;
}

int run(int argc, char** argv) {
    setEnvironment(environmentOfProcess());
    requestSurface();
    setIdentity();
    if (argc == 2 && std::string_view(argv[1]) == kOpenGlName) return tellOpenGl(argc, argv);
    answerWithoutWindow(argc, argv);
    const auto owner = applicationOnDisplay(argc, argv);
    GuardedApplication& application = *owner;
    std::setlocale(LC_NUMERIC, "C");  // numbers in files have a decimal point in every locale
    const StartOptions options = readArguments(application);
    loadTranslations(application);
    applyTheme(application, options.theme.value_or(AppSettings::load().theme));
    QGuiApplication::setWindowIcon(applicationIcon());

    if (AppSettings::load().draw == DrawChoice::Automatic)
        OpenGlQuestion::ask(QCoreApplication::applicationFilePath(),
                            {QString::fromLatin1(kOpenGlName)});
    Windows windows(application);
    MainWindow* first = windows.open();
    if (!options.size.isEmpty()) first->resize(options.size);
    first->show();
    EndSignals endSignals;
    QObject::connect(&endSignals, &EndSignals::endRequested, &windows, &Windows::end);
    // Started from the event loop, so that the empty window is painted before work on the first
    // map.
    QTimer::singleShot(0, first, [first, &options] {
        const bool question = options.screenshot.isEmpty() && first->offerRecovery();
        if (!options.files.isEmpty())
            first->openFiles(options.files);
        else if (question || (options.screenshot.isEmpty() &&
                              !first->session().files().recentFiles().isEmpty()))
            first->showStart();
        else
            first->session().files().openSampleSky();
        if (!options.screenshot.isEmpty())
            saveScreenshotWhenReady(*first, options.screenshot, options.smoothed);
    });
    return application.run([&windows] { windows.keepForNextStart(); });
}

}  // namespace
}  // namespace armilla

// An exception before the event loop has no window to appear in.
int main(int argc, char** argv) {
    try {
        return armilla::run(argc, argv);
    } catch (...) {
        const auto line = armilla::failureLine(std::current_exception());
        std::fprintf(stderr, "armilla: %s\n", qPrintable(line.value_or(QStringLiteral("stopped"))));
        return 1;
    }
}
