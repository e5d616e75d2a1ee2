// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/help_dialogs.h"

#include <QAction>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QImage>
#include <QImageReader>
#include <QLabel>
#include <QPointer>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextTable>
#include <QThreadPool>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"
#include "dialogs/manual.h"

namespace armilla {
namespace {

using Row = std::pair<QString, QString>;

void addRows(QGridLayout* grid, int column, const QString& heading, const QList<Row>& rows,
             QWidget* parent) {
    auto* title = new QLabel(heading, parent);
    title->setProperty("role", "heading");
    title->setFont(Theme::of(parent).headingFont(parent->font()));
    grid->addWidget(title, 0, column, 1, 2);
    int row = 1;
    for (const auto& [keys, what] : rows) {
        auto* key = new QLabel(keys, parent);
        key->setProperty("role", "muted");
        grid->addWidget(key, row, column);
        grid->addWidget(new QLabel(what, parent), row, column + 1);
        ++row;
    }
}

// Markdown gives every table a heading and a grid, which columns of keys and words do not need.
// Also adds space above headings.
void layOut(QTextDocument& document) {
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (!table) continue;
        QTextTableFormat format = table->format();
        format.setBorder(0.0);
        format.setCellSpacing(0.0);
        format.setCellPadding(3.0);
        format.setTopMargin(4.0);
        format.setBottomMargin(8.0);
        table->setFormat(format);
        bool isBare = table->rows() > 1;
        for (int column = 0; column < table->columns(); ++column)
            isBare =
                isBare && table->cellAt(0, column).firstCursorPosition().block().text().isEmpty();
        if (isBare) table->removeRows(0, 1);
    }
    constexpr double kAboveHeading = 16.0;
    for (QTextBlock block = document.begin().next(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0) continue;
        QTextBlockFormat format = block.blockFormat();
        format.setTopMargin(kAboveHeading);
        QTextCursor(block).setBlockFormat(format);
    }
}

QDialogButtonBox* closeButton(QDialog* dialog) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QWidget::close);
    return buttons;
}

}  // namespace

ShortcutsDialog::ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Shortcuts"));
    QList<Row> commands;
    for (const QAction* action : actions) {
        if (action->shortcut().isEmpty()) continue;
        // The text of an action such as Undo changes with what it acts on.
        const QString constant = action->property("name").toString();
        QString name = constant.isEmpty() ? action->text() : constant;
        commands.append({action->shortcut().toString(QKeySequence::NativeText),
                         name.remove(QLatin1Char('&')).remove(QChar(0x2026))});
    }
    const QList<Row> sky{{tr("drag"), tr("turn the sphere with the pointer")},
                         {tr("wheel"), tr("zoom towards the cursor")},
                         {tr("double click"), tr("center there")},
                         {tr("Shift+drag"), tr("measure an angle")},
                         {tr("arrow keys"), tr("turn")},
                         {tr("+  −"), tr("zoom")},
                         {tr("[  ]"), tr("turn about the line of sight")},
                         {tr("Home"), tr("whole sky")},
                         {tr("P"), tr("pin the inspector, or let it follow again")},
                         {tr("Space"), tr("other picture while blinking")},
                         {tr("Escape"), tr("end measuring, dismiss a message")},
                         {tr("Shift+F1, click"), tr("explain what is clicked")},
                         {tr("Shift+click in the list"), tr("compare with that map")},
                         {tr("Space in the list"), tr("show or hide the layer")}};
    auto* content = new QWidget(this);
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(18, 14, 18, 14);
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(6);
    addRows(grid, 0, tr("Commands"), commands, content);
    grid->setColumnMinimumWidth(2, 24);
    addRows(grid, 3, tr("In the sky"), sky, content);
    grid->setRowStretch(static_cast<int>(std::max(commands.size(), sky.size())) + 1, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 12, 12);
    layout->addWidget(scroll, 1);
    layout->addWidget(closeButton(this));
    // The list is longer than a small screen; what does not fit scrolls.
    constexpr double kMostOfScreen = 0.9;
    const QSize most = (QSizeF(screen()->availableSize()) * kMostOfScreen).toSize();
    resize((content->sizeHint() + QSize(40, 70)).boundedTo(most));
}

namespace {

const QString kGuide = QStringLiteral("guide.md");

// Missing pictures are left out.
QString withPictures(const QString& markdown, const QStringList& folders) {
    QStringList lines;
    static const QRegularExpression picture(QStringLiteral("^!\\[[^]]*\\]\\(([^)]+)\\)$"));
    for (const QString& line : markdown.split(QLatin1Char('\n'))) {
        const QString name = picture.match(line).captured(1);
        const bool isThere = std::any_of(
            folders.begin(), folders.end(),
            [&](const QString& folder) { return QFile::exists(QDir(folder).filePath(name)); });
        if (name.isEmpty() || isThere) lines << line;
    }
    return lines.join(QLatin1Char('\n'));
}

// Folders of pictures, relative to the program: installed or in the build tree.
QStringList pictureFolders() {
    return {QCoreApplication::applicationDirPath() + QStringLiteral("/../share/armilla/help")};
}

// The manual with pictures that are decoded in another thread, which takes 0.1 s. Until then a
// picture is an empty area of its size.
class ManualView : public QTextBrowser {
public:
    using QTextBrowser::QTextBrowser;

protected:
    QVariant loadResource(int type, const QUrl& name) override {
        QString path;
        if (type == QTextDocument::ImageResource)
            for (const QString& folder : searchPaths())
                if (QFile::exists(QDir(folder).filePath(name.path())))
                    path = QDir(folder).filePath(name.path());
        if (path.isEmpty()) return QTextBrowser::loadResource(type, name);
        QImage room(QImageReader(path).size(), QImage::Format_ARGB32_Premultiplied);
        room.fill(Qt::transparent);
        QThreadPool::globalInstance()->start([path, name, self = QPointer(this)] {
            const QImage picture(path);
            QMetaObject::invokeMethod(
                qApp,
                [self, name, picture] {
                    if (self) self->take(name, picture);
                },
                Qt::QueuedConnection);
        });
        return room;
    }

private:
    void take(const QUrl& name, const QImage& picture) {
        document()->addResource(QTextDocument::ImageResource, name, picture);
        viewport()->update();
    }
};

}  // namespace

QString GuideDialog::text(const QStringList& folders) {
    return withPictures(Manual::markdown(kGuide), folders);
}

GuideDialog::GuideDialog(QWidget* parent, const QString& place) : QDialog(parent) {
    setAttribute(Qt::WA_DeleteOnClose);
    view_ = new ManualView(this);
    view_->setSearchPaths(pictureFolders());
    view_->setOpenLinks(false);
    view_->setAccessibleName(tr("Manual"));
    view_->setToolTip({});
    connect(view_, &QTextBrowser::anchorClicked, this, &GuideDialog::follow);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(12, 8, 0, 0);
    const auto button = [&](const QString& icon, const QString& text, const QString& tip) {
        auto* made = new QToolButton(this);
        made->setIcon(lineIcon(icon));
        made->setText(text);
        made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        made->setProperty("flat", true);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        top->addWidget(made);
        return made;
    };
    back_ = button(QStringLiteral("chevron-left"), tr("Back"), tr("The page before"));
    back_->setShortcut(QKeySequence::Back);
    connect(back_, &QToolButton::clicked, this, [this] {
        if (before_.size() < 2) return;
        before_.removeLast();
        const QString last = before_.takeLast();
        showPlace(last);
    });
    connect(button(QStringLiteral("list"), tr("Contents"), tr("All pages of the manual")),
            &QToolButton::clicked, this, [this] { showPlace(Manual::pages().front()); });
    connect(button(QStringLiteral("info"), tr("Guide"), tr("The window, part by part")),
            &QToolButton::clicked, this, [this] { showPlace(kGuide); });
    top->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 12, 12);
    layout->addLayout(top);
    layout->addWidget(view_, 1);
    layout->addWidget(closeButton(this));
    resize(820, 700);
    showPlace(place.isEmpty() ? kGuide : place);
}

void GuideDialog::showPlace(const QString& place) {
    const QString page = place.section(QLatin1Char('#'), 0, 0);
    const QString anchor = place.section(QLatin1Char('#'), 1);
    if (page != page_) {
        const QString markdown = withPictures(Manual::markdown(page), pictureFolders());
        if (markdown.isEmpty()) {
            if (page_.isEmpty() && page != kGuide) showPlace(kGuide);
            return;
        }
        page_ = page;
        // Complete before the view has it: a document in a view is laid out again at each of the
        // hundreds of changes that its making takes.
        auto* document = new QTextDocument(view_);
        document->setDefaultFont(view_->document()->defaultFont());
        document->setMarkdown(markdown);
        layOut(*document);
        document->setDocumentMargin(18);
        const QPointer<QTextDocument> before = view_->document();
        view_->setDocument(document);
        if (before && before->parent() == view_) delete before;
        setWindowTitle(tr("%1 – Manual").arg(Manual::title(page)));
    }
    if (before_.isEmpty() || before_.last() != place) before_ << place;
    back_->setEnabled(before_.size() > 1);
    view_->moveCursor(QTextCursor::Start);
    if (anchor.isEmpty()) return;
    for (QTextBlock block = view_->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || Manual::anchorOf(block.text()) != anchor)
            continue;
        // Starts from the end, so that the heading comes to the upper edge.
        view_->moveCursor(QTextCursor::End);
        view_->setTextCursor(QTextCursor(block));
        return;
    }
}

// Links between pages stay in this window; others open in the browser of the desktop.
void GuideDialog::follow(const QUrl& link) {
    const QString place = Manual::linked(page_, link.toString());
    if (!place.isEmpty())
        showPlace(place);
    else if (!link.scheme().isEmpty())
        QDesktopServices::openUrl(link);
}

QString GuideDialog::placeOfSection(const QString& heading) {
    return kGuide + QLatin1Char('#') + Manual::anchorOf(heading);
}

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("About Armilla"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 20, 22, 14);
    layout->setSpacing(16);
    auto* top = new QHBoxLayout;
    top->setSpacing(20);
    auto* mark = new QLabel(this);
    mark->setPixmap(applicationIcon().pixmap(QSize(88, 88), devicePixelRatioF()));
    mark->setAccessibleName(tr("An armillary sphere"));
    top->addWidget(mark, 0, Qt::AlignTop);
    auto* text = new QLabel(
        tr("<p style='font-size:large'><b>Armilla %1</b></p>"
           "<p>Explore and analyze HEALPix maps of the whole sky.</p>"
           "<p>Free software under the GNU General Public License, version 3 or later. "
           "It comes without any warranty.</p>"
           "<p>Built with Qt, CFITSIO, HEALPix C++, WCSLIB, Highway, libepoxy, QCustomPlot "
           "and CLI11.<br>HEALPix: K. M. Górski et al. 2005, ApJ 622, 759.</p>")
            .arg(QCoreApplication::applicationVersion()),
        this);
    text->setWordWrap(true);
    text->setMinimumWidth(340);
    text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    top->addWidget(text, 1);
    layout->addLayout(top);
    layout->addWidget(closeButton(this));
}

}  // namespace armilla
