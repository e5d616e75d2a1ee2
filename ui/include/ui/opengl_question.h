// SPDX-License-Identifier: GPL-3.0-or-later
// Who draws OpenGL here. A software rasterizer brings a compiler of its own (some 60 MB), which
// stays for the life of the process that asked; so another process asks.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>

class QProcess;

namespace armilla {

// GL_RENDERER of the contexts that the window would draw with, asked in this process; empty if
// there are none. Takes a QGuiApplication.
std::string openGlRenderer();

class OpenGlQuestion {
public:
    // Starts a program that prints openGlRenderer(), where a window can draw with OpenGL at all; it
    // runs beside what follows, no longer than this one. Takes a QGuiApplication.
    static void ask(const QString& program, const QStringList& arguments);
    struct Answer {
        bool isEnded = false;  // else the driver took it down, or keeps it for longer than 5 s
        std::string renderer;
    };
    // Waited for; none where nobody was asked.
    static std::optional<Answer> answer();

private:
    static std::unique_ptr<QProcess>& process();
};

}  // namespace armilla
