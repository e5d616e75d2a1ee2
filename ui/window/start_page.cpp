// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/start_page.h"

#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QKeySequence>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "armilla/session/file_opener.h"
#include "armilla/session/layer_recovery.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/session.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"

namespace armilla {
namespace {

// Logical pixels.
constexpr int kMostWidth = 820, kIcon = 20, kEdge = 12, kBetween = 10, kMark = 52;
constexpr int kMargin = 24, kColumns = 32, kScrollBar = 10;
constexpr qsizetype kMostFiles = 6;
constexpr double kTitleScale = 1.9;

}  // namespace

StartCard::StartCard(const QString& icon, const QString& title, const QString& line,
                     QWidget* parent)
    : QAbstractButton(parent), line_(line) {
    setIcon(lineIcon(icon));
    setText(title);
    setAccessibleName(title);
    setToolTip(line);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize StartCard::sizeHint() const {
    const int lines =
        line_.isEmpty() ? 0 : QFontMetrics(Theme::of(this).smallFont(font())).height();
    constexpr int kWidth = 250;
    return {kWidth, fontMetrics().height() + lines + 2 * kEdge};
}

// The whole title, but for names of files, which may be of any length and are elided.
QSize StartCard::minimumSizeHint() const {
    constexpr int kLeast = 140, kLetters = 24;  // more than in any title of the page
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(bold);
    const int most = kLetters * metrics.averageCharWidth();
    const int title = std::min(metrics.horizontalAdvance(text()), most) + 3 * kEdge + kIcon;
    return {std::max(title, kLeast), sizeHint().height()};
}

void StartCard::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isLit = isEnabled() && (underMouse() || hasFocus());
    painter.setBrush(isDown() ? theme.controlPressed : isLit ? theme.controlHover : theme.card);
    painter.setPen(QPen(isLit ? theme.accentBorder : theme.separator, 1.0));
    constexpr double kRadius = 6.0;
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    icon().paint(&painter, QRect(kEdge, (height() - kIcon) / 2, kIcon, kIcon), Qt::AlignCenter,
                 isEnabled() ? QIcon::Normal : QIcon::Disabled);
    const int left = 2 * kEdge + kIcon, room = width() - left - kEdge;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(isEnabled() ? theme.text : theme.textFaint);
    const int high = QFontMetrics(bold).height();
    const QRect first(left, line_.isEmpty() ? (height() - high) / 2 : kEdge, room, high);
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(text(), Qt::ElideMiddle, room));
    if (line_.isEmpty()) return;
    const QFont small = theme.smallFont(font());
    painter.setFont(small);
    painter.setPen(isEnabled() ? theme.textMuted : theme.textFaint);
    // Both ends of a path tell, and the beginning of a sentence.
    const Qt::TextElideMode kind =
        line_.contains(QLatin1Char('/')) ? Qt::ElideMiddle : Qt::ElideRight;
    painter.drawText(QRect(left, first.bottom() + 1, room, QFontMetrics(small).height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(small).elidedText(line_, kind, room));
}

StartPage::StartPage(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    hide();
    setAccessibleName(tr("Start page"));
    scroll_ = new QScrollArea(this);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setWidgetResizable(true);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setWidget(buildContent());
    scroll_->viewport()->setAutoFillBackground(false);
    scroll_->setStyleSheet(QStringLiteral("QScrollArea { background: transparent; }"));
    scroll_->widget()->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll_);
    const Document& document = session_.document();
    connect(&document, &Document::entriesChanged, this, &StartPage::follow);
    connect(&document.recovery(), &LayerRecovery::missingChanged, this, &StartPage::follow);
    connect(&session_.jobs(), &JobRunner::becameIdle, this, &StartPage::follow);
}

QVBoxLayout* StartPage::column(const QString& heading) {
    auto* made = new QVBoxLayout;
    made->setSpacing(kBetween - 2);
    auto* title = new QLabel(heading, this);
    title->setProperty("role", "heading");
    title->setFont(Theme::of(this).headingFont(font()));
    made->addWidget(title);
    return made;
}

void StartPage::arrange() {
    const auto widest = [](QLayout* cards, auto&& self) -> int {
        int width = 0;
        for (int i = 0; i < cards->count(); ++i) {
            QLayoutItem* item = cards->itemAt(i);
            if (item->layout()) width = std::max(width, self(item->layout(), self));
            if (const auto* card = qobject_cast<const StartCard*>(item->widget()))
                width = std::max(width, card->minimumSizeHint().width());
        }
        return width;
    };
    int inRow = (pages_->count() - 1) * kBetween;
    for (int i = 0; i < pages_->count(); ++i)
        inRow += pages_->itemAt(i)->widget()->minimumSizeHint().width();
    const int columns = widest(open_, widest) + kColumns + widest(skies_, widest);
    const int room = std::min(width() - 2 * kMargin - kScrollBar, kMostWidth);
    const bool isNarrow = room < std::max(inRow, columns);
    if (isNarrow == isNarrow_ && grid_->indexOf(open_) >= 0) return;
    isNarrow_ = isNarrow;
    for (QLayout* part : {open_, skies_, learn_}) grid_->removeItem(part);
    grid_->addLayout(open_, 1, 0, 1, isNarrow ? 2 : 1, Qt::AlignTop);
    grid_->addLayout(skies_, isNarrow ? 2 : 1, isNarrow ? 0 : 1, 1, isNarrow ? 2 : 1, Qt::AlignTop);
    grid_->addLayout(learn_, 3, 0, 1, 2, Qt::AlignTop);
    pages_->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    fitContent();
}

// A page that is hidden is not laid out, and the scroll area would keep the size that its content
// had in the other arrangement.
void StartPage::fitContent() {
    if (!scroll_->widget()) return;
    grid_->activate();
    scroll_->widget()->layout()->activate();
    QEvent request(QEvent::LayoutRequest);
    QCoreApplication::sendEvent(scroll_, &request);
}

void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fitContent();
}

void StartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void StartPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // The cards have the font after the page.
    if (event->type() == QEvent::FontChange && pages_)
        QMetaObject::invokeMethod(this, &StartPage::arrange, Qt::QueuedConnection);
}

QWidget* StartPage::buildContent() {
    auto* content = new QWidget(this);
    auto* outer = new QGridLayout(content);
    outer->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    outer->setColumnStretch(0, 1);
    outer->setColumnStretch(2, 1);
    outer->setRowStretch(0, 1);
    outer->setRowStretch(2, 2);
    auto* middle = new QWidget(content);
    middle->setMaximumWidth(kMostWidth);
    middle->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    outer->addWidget(middle, 1, 1);
    outer->setColumnStretch(1, kMostWidth);
    grid_ = new QGridLayout(middle);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(kColumns);
    grid_->setVerticalSpacing(26);
    grid_->setColumnStretch(0, 2);
    grid_->setColumnStretch(1, 3);
    grid_->addLayout(buildHead(middle), 0, 0, 1, 2);
    buildOpen(middle);
    buildSkies(middle);
    buildLearn(middle);
    arrange();
    return content;
}

QLayout* StartPage::buildHead(QWidget* middle) {
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    auto* mark = new QLabel(middle);
    mark->setPixmap(applicationIcon().pixmap(QSize(kMark, kMark), devicePixelRatioF()));
    head->addWidget(mark);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    auto* name = new QLabel(tr("Armilla"), middle);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * kTitleScale);
    large.setWeight(QFont::DemiBold);
    name->setFont(large);
    auto* line =
        new QLabel(tr("Maps of the whole sky. Drop files anywhere in the window."), middle);
    line->setProperty("role", "muted");
    line->setWordWrap(true);
    words->addWidget(name);
    words->addWidget(line);
    head->addLayout(words, 1);
    return head;
}

void StartPage::buildOpen(QWidget* middle) {
    open_ = column(tr("Open"));
    auto* choose =
        new StartCard(QStringLiteral("open"), tr("Open files"),
                      tr("Maps, catalogs, images (%1)")
                          .arg(QKeySequence(QKeySequence::Open).toString(QKeySequence::NativeText)),
                      middle);
    connect(choose, &QAbstractButton::clicked, this, &StartPage::openRequested);
    open_->addWidget(choose);
    reopen_ = new StartCard(QStringLiteral("undo"), tr("Reopen last session"),
                            tr("Layers, view and results"), middle);
    connect(reopen_, &QAbstractButton::clicked, this, &StartPage::reopenRequested);
    open_->addWidget(reopen_);
    recent_ = new QVBoxLayout;
    recent_->setSpacing(open_->spacing());
    open_->addLayout(recent_);
}

void StartPage::buildSkies(QWidget* middle) {
    skies_ = column(tr("Sample skies"));
    struct Facts {
        Sample sample;
        const char* icon;
        QString title, line;
    };
    const Facts samples[] = {{Sample::Microwave, "sample", tr("Microwave sky"),
                              tr("A field like the CMB, a plane of clouds, and sources")},
                             {Sample::Sources, "sources", tr("Point sources"),
                              tr("400 sources in noise, and the catalog of their places")},
                             {Sample::Scans, "grid", tr("Single-dish samples"),
                              tr("26,000 samples along scans, to grid into a map")},
                             {Sample::Probability, "region", tr("Gravitational wave"),
                              tr("A probability of where it came from, with its regions")}};
    for (const Facts& facts : samples) {
        auto* card =
            new StartCard(QString::fromLatin1(facts.icon), facts.title, facts.line, middle);
        connect(card, &QAbstractButton::clicked, this,
                [this, sample = facts.sample] { emit sampleRequested(sample); });
        skies_->addWidget(card);
    }
}

void StartPage::buildLearn(QWidget* middle) {
    learn_ = column(tr("Learn"));
    pages_ = new QHBoxLayout;
    pages_->setSpacing(kBetween);
    learn_->addLayout(pages_);
    auto* tour = new StartCard(QStringLiteral("frame"), tr("Tour of the window"),
                               tr("Six steps, left at any time"), middle);
    connect(tour, &QAbstractButton::clicked, this, &StartPage::tourRequested);
    pages_->addWidget(tour);
    const std::tuple<QString, QString, QString> pages[] = {
        {tr("A first hour"), tr("From a file to a figure"), QStringLiteral("first-hour.md")},
        {tr("Manual"), tr("Tools, commands, tutorials"), QStringLiteral("index.md")}};
    for (const auto& [title, text, place] : pages) {
        auto* card = new StartCard(QStringLiteral("info"), title, text, middle);
        connect(card, &QAbstractButton::clicked, this,
                [this, place = place] { emit manualRequested(place); });
        pages_->addWidget(card);
    }
}

void StartPage::fillRecent() {
    QStringList files = session_.files().recentFiles();
    files.erase(std::remove_if(files.begin(), files.end(),
                               [](const QString& path) {
                                   const qsizetype bracket = path.lastIndexOf(QLatin1Char('['));
                                   return !QFileInfo::exists(path) &&
                                          !(bracket > 0 && QFileInfo::exists(path.left(bracket)));
                               }),
                files.end());
    files = files.mid(0, kMostFiles);
    reopen_->setEnabled(session_.project().hasLastSession());
    if (files == shownFiles_) return;
    shownFiles_ = files;
    while (QLayoutItem* item = recent_->takeAt(0)) {
        if (QWidget* widget = item->widget()) widget->deleteLater();
        delete item;
    }
    for (const QString& path : files) {
        QString folder = QFileInfo(path).absolutePath();
        if (folder.startsWith(QDir::homePath())) folder.replace(0, QDir::homePath().size(), '~');
        auto* card = new StartCard(QStringLiteral("file"), QFileInfo(path).fileName(),
                                   QDir::toNativeSeparators(folder), this);
        card->setToolTip(tr("Open %1 again").arg(QDir::toNativeSeparators(path)));
        connect(card, &QAbstractButton::clicked, this, [this, path] { emit fileRequested(path); });
        recent_->addWidget(card);
    }
    arrange();
}

void StartPage::follow() {
    const Document& document = session_.document();
    const bool isEmpty = document.entries().empty() && document.recovery().missing().empty() &&
                         document.recovery().awaited().empty();
    const bool shows = isEmpty && (!isHidden() || session_.jobs().isIdle());
    if (shows == !isHidden()) return;
    if (shows) fillRecent();
    setVisible(shows);
    emit shownChanged(shows);
}

void StartPage::paintEvent(QPaintEvent* /*event*/) {
    QPainter(this).fillRect(rect(), Theme::of(this).panel);
}

}  // namespace armilla
