// SPDX-License-Identifier: GPL-3.0-or-later
// The facts of the file under the selection of a file dialog.
#pragma once

#include <QWidget>

class QLabel;

namespace armilla {

class ElidedLabel;

class FilePreview : public QWidget {
    Q_OBJECT
public:
    explicit FilePreview(QWidget* parent = nullptr);
    // Reads headers in a thread; a later call replaces an unfinished one. Empty for folders.
    void show(const QString& path);
    // The text shown, line by line.
    QString text() const;

private:
    void take(int request, const QStringList& lines);

    ElidedLabel* name_;
    QLabel* facts_;
    QLabel* content_;
    int request_ = 0;
};

}  // namespace armilla
