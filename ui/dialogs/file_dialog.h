// SPDX-License-Identifier: GPL-3.0-or-later
// Qt's file dialog, without event loops of its own.
#pragma once

#include <QFileDialog>

namespace armilla {

class FilePreview;

// Qt's dialog asks in a nested event loop whether a file is to be replaced, and shows its context
// menus in such loops. A window that closes meanwhile (SIGTERM, for example) would delete the
// question, which lies on the stack. This dialog asks with a message that returns at once, and has
// no context menus, which could delete files.
//
// Only for the dialog that Qt draws. The dialogs of desktops ask by themselves.
class FileDialog : public QFileDialog {
    Q_OBJECT
public:
    FileDialog(QWidget* parent, const QString& title, const QString& folder);

    // Folders for the side bar, besides the home folder and the root.
    void setRecentFolders(const QStringList& folders);
    const FilePreview* preview() const { return preview_; }

    void accept() override;
    void done(int result) override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void deleteAtRest();

    bool isReplacing_ = false;
    FilePreview* preview_ = nullptr;  // none in a desktop's dialog
};

}  // namespace armilla
