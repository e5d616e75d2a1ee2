// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of a window once it shows what it was asked to show.
#pragma once

#include <QString>

namespace armilla {

class MainWindow;

// Waits until the window's jobs have ended and its picture has settled, writes the window as an
// image and ends the application: with 0, or with 1 and a line on standard error if that failed.
// `smoothed`: with the map smoothed, beside itself.
void saveScreenshotWhenReady(MainWindow& window, const QString& path, bool smoothed = false);

}  // namespace armilla
