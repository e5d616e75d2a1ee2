// SPDX-License-Identifier: GPL-3.0-or-later
// Qt for drawing only: no display, no plugins and no language from the environment, so that a
// figure depends on the command line only.
#pragma once

#include <QCoreApplication>
#include <functional>
#include <memory>

namespace armilla::cli {

class DrawingApplication {
public:
    using Make = std::function<std::unique_ptr<QCoreApplication>(int& count, char** arguments)>;
    // Creates a QGuiApplication, or the application of `make`.
    DrawingApplication();
    explicit DrawingApplication(const Make& make);

private:
    char name_[8] = "armilla";
    char* arguments_[2] = {name_, nullptr};
    int count_ = 1;
    std::unique_ptr<QCoreApplication> application_;
};

}  // namespace armilla::cli
