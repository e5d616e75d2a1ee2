// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/opengl_question.h"

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QProcess>
#include <utility>

#include "view/gl_canvas.h"

namespace armilla {

std::string openGlRenderer() {
    QOffscreenSurface surface;
    surface.setFormat(GlCanvas::neededFormat());
    surface.create();
    QOpenGLContext context;
    context.setFormat(GlCanvas::neededFormat());
    if (!context.create() || !context.makeCurrent(&surface)) return {};
    const auto* text = reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER));
    std::string device = text ? text : "";
    context.doneCurrent();
    return device;
}

std::unique_ptr<QProcess>& OpenGlQuestion::process() {
    static std::unique_ptr<QProcess> asked;
    return asked;
}

void OpenGlQuestion::ask(const QString& program, const QStringList& arguments) {
    if (!GlCanvas::isPossible()) return;
    process() = std::make_unique<QProcess>();
    QObject::connect(qGuiApp, &QCoreApplication::aboutToQuit, [] { process().reset(); });
    QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
    surroundings.insert(QStringLiteral("QT_QPA_PLATFORM"), QGuiApplication::platformName());
    process()->setProcessEnvironment(surroundings);
    process()->setStandardErrorFile(QProcess::nullDevice());
    process()->start(program, arguments, QIODevice::ReadOnly);
}

std::optional<OpenGlQuestion::Answer> OpenGlQuestion::answer() {
    const std::unique_ptr<QProcess> asked = std::exchange(process(), nullptr);
    if (!asked) return std::nullopt;
    constexpr int kPatience = 5000;
    const bool isEnded =
        asked->state() == QProcess::NotRunning || asked->waitForFinished(kPatience);
    if (asked->error() == QProcess::FailedToStart) return std::nullopt;
    if (!isEnded || asked->exitStatus() != QProcess::NormalExit || asked->exitCode() != 0)
        return Answer{};
    return Answer{true, asked->readAllStandardOutput().trimmed().toStdString()};
}

}  // namespace armilla
