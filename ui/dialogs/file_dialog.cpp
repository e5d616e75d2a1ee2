// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/file_dialog.h"

#include <QAbstractItemView>
#include <QDir>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QStandardPaths>
#include <QThread>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>

#include "armilla/ui/icons.h"
#include "dialogs/file_preview.h"

namespace armilla {
namespace {

class FileIcons : public QFileIconProvider {
public:
    QIcon icon(IconType type) const override {
        return lineIcon(type == File ? QStringLiteral("file") : QStringLiteral("open"));
    }
    QIcon icon(const QFileInfo& info) const override {
        return lineIcon(info.isDir() ? QStringLiteral("open") : QStringLiteral("file"));
    }
};

void giveIcons(QFileDialog& dialog) {
    static FileIcons icons;
    dialog.setIconProvider(&icons);
    const std::pair<const char*, const char*> buttons[] = {
        {"backButton", "chevron-left"},  {"forwardButton", "chevron-right"},
        {"toParentButton", "folder-up"}, {"newFolderButton", "folder-new"},
        {"listModeButton", "list"},      {"detailModeButton", "table"}};
    for (const auto& [name, icon] : buttons)
        if (auto* button = dialog.findChild<QToolButton*>(QString::fromLatin1(name)))
            button->setIcon(lineIcon(QString::fromLatin1(icon)));
}

// Sizes and dates are shown in full, names get the remaining width. Qt's default gives all columns
// the same width. The kind of a file is its suffix, which is part of the name.
void giveColumns(QTreeView& files) {
    constexpr int kKindColumn = 2;
    files.setColumnHidden(kKindColumn, true);
    QHeaderView* header = files.header();
    header->setStretchLastSection(false);
    header->setResizeContentsPrecision(0);  // only visible rows
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
}

}  // namespace

FileDialog::FileDialog(QWidget* parent, const QString& title, const QString& folder)
    : QFileDialog(parent, title, folder) {
    giveIcons(*this);
    arrange();
    // open() would make the dialog window-modal; the window stays usable instead.
    setModal(false);
}

void FileDialog::arrange() {
    auto* files = findChild<QTreeView*>(QStringLiteral("treeView"));
    if (files == nullptr) return;  // the desktop's own dialog
    setOption(QFileDialog::DontConfirmOverwrite);
    giveColumns(*files);
    for (auto* view : findChildren<QAbstractItemView*>())
        view->setContextMenuPolicy(Qt::NoContextMenu);
    auto* grid = qobject_cast<QGridLayout*>(layout());
    auto* parts = findChild<QSplitter*>(QStringLiteral("splitter"));
    if (!grid || !parts) return;
    preview_ = new FilePreview(this);
    parts->addWidget(preview_);
    parts->setStretchFactor(0, 0);
    parts->setStretchFactor(1, 1);
    parts->setStretchFactor(2, 0);
    // Names of products of surveys have some fifty letters.
    constexpr QSize kSize(1120, 620), kLeast(960, 560);
    constexpr int kSide = 150, kPreview = 230;
    const QSize size =
        kSize.boundedTo(screen()->availableGeometry().size() - QSize(20, 60)).expandedTo(kLeast);
    resize(size);
    constexpr int kLeastNames = 320;
    files->setMinimumWidth(kLeastNames);
    parts->setSizes({kSide, size.width() - kSide - kPreview, kPreview});
    connect(this, &QFileDialog::currentChanged, preview_, &FilePreview::show);
}

// A narrow dialog leaves the width to the names.
void FileDialog::resizeEvent(QResizeEvent* event) {
    constexpr int kLeastForPreview = 760;  // logical pixels
    QFileDialog::resizeEvent(event);
    if (preview_) preview_->setVisible(width() >= kLeastForPreview);
}

void FileDialog::setRecentFolders(const QStringList& folders) {
    QList<QUrl> places{QUrl::fromLocalFile(QDir::homePath()),
                       QUrl::fromLocalFile(QDir::rootPath())};
    for (const QString& folder : folders)
        if (const QUrl url = QUrl::fromLocalFile(folder);
            QFileInfo(folder).isDir() && !places.contains(url))
            places << url;
    setSidebarUrls(places);
}

void FileDialog::accept() {
    const QString path = selectedFiles().value(0);
    const bool isAsked =
        preview_ && acceptMode() == AcceptSave && !isReplacing_ && QFileInfo(path).isFile();
    if (!isAsked) return QFileDialog::accept();
    auto* question =
        new QMessageBox(QMessageBox::Question, windowTitle(),
                        tr("%1 exists already. Replace it?").arg(QFileInfo(path).fileName()),
                        QMessageBox::Cancel, this);
    QPushButton* replace = question->addButton(tr("&Replace"), QMessageBox::AcceptRole);
    question->setDefaultButton(QMessageBox::Cancel);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(replace, &QPushButton::clicked, this, [this] {
        isReplacing_ = true;
        accept();
        isReplacing_ = false;
    });
    question->open();
}

void FileDialog::done(int result) {
    QFileDialog::done(result);
    deleteAtRest();
}

// A nested event loop may have begun in a part of this dialog, which must outlive the loop.
void FileDialog::deleteAtRest() {
    constexpr int kAgain = 50;  // milliseconds
    if (QThread::currentThread()->loopLevel() <= 1) return deleteLater();
    QTimer::singleShot(kAgain, this, &FileDialog::deleteAtRest);
}

}  // namespace armilla
