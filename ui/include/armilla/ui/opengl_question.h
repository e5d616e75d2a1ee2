// SPDX-License-Identifier: GPL-3.0-or-later
// Determines the OpenGL renderer. A software rasterizer loads its own compiler (some 60 MB) for the
// life of the process, so a separate process makes the query.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>

class QProcess;

namespace armilla {

// GL_RENDERER of the contexts that the window would draw with, queried in this process; empty if
// there are none. Needs a QGuiApplication.
std::string openGlRenderer();

// The query in a separate process.
class OpenGlQuestion {
public:
    // Starts a program that prints openGlRenderer(), if OpenGL windows are possible at all. The
    // program runs in parallel and ends with this process at the latest. Needs a QGuiApplication.
    static void ask(const QString& program, const QStringList& arguments);
    // Result of the query.
    struct Answer {
        bool isEnded = false;  // false: the driver crashed, or needed more than 5 s
        std::string renderer;
    };
    // Waits for the result; none if no query was started.
    static std::optional<Answer> answer();

private:
    static std::unique_ptr<QProcess>& process();
};

}  // namespace armilla
