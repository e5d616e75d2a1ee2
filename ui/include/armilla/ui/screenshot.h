// SPDX-License-Identifier: GPL-3.0-or-later
// Saves an image of a window after its content is complete.
#pragma once

#include <QString>

namespace armilla {

class MainWindow;

// Waits until the window's jobs have ended and its picture is final, writes the window as an image,
// and ends the application. The exit code is 0, or 1 with a line on standard error after a failure.
// `smoothed`: compares the map with its smoothed version.
void saveScreenshotWhenReady(MainWindow& window, const QString& path, bool smoothed = false);

}  // namespace armilla
