// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/command_palette.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"

namespace armilla {
namespace {

// Logical pixels.
constexpr int kWidth = 620, kEdge = 24, kIcon = 16, kWidestName = 380;
constexpr int kRows = 16;  // shown at once

// Rank of an entry for a query in lower case; the best is 0, none if a word is missing.
std::optional<int> rankOf(const PaletteEntry& entry, const QString& query) {
    const QString text = entry.text.toLower();
    const QString all =
        QStringList{text, entry.place.toLower(), entry.synonyms.toLower()}.join(QLatin1Char(' '));
    // Shorter queries are in nearly every text.
    constexpr qsizetype kLeastOfBody = 4;
    for (const QString& word : query.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        if (!all.contains(word))
            return query.size() >= kLeastOfBody && entry.body.contains(query, Qt::CaseInsensitive)
                       ? std::optional(4)
                       : std::nullopt;
    if (text.startsWith(query)) return 0;
    if (text.contains(QLatin1Char(' ') + query)) return 1;
    if (text.contains(query)) return 2;
    return 3;
}

}  // namespace

QList<PaletteEntry> paletteMatches(const QList<PaletteEntry>& entries, const QString& query) {
    const QString plain = query.simplified().toLower();
    std::vector<std::pair<int, const PaletteEntry*>> ranked;
    for (const PaletteEntry& entry : entries)
        if (const auto rank = rankOf(entry, plain)) ranked.emplace_back(*rank, &entry);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    QList<PaletteEntry> found;
    for (const auto& [rank, entry] : ranked) found << *entry;
    return found;
}

CommandPalette::CommandPalette(QList<PaletteEntry> entries,
                               std::function<void(const QString&)> elsewhere, QWidget* window)
    : QFrame(window, Qt::Popup),
      entries_(std::move(entries)),
      elsewhere_(std::move(elsewhere)),
      line_(new QLineEdit(this)),
      list_(new QTreeWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("role", "card");
    auto* layout = new QVBoxLayout(this);
    const int space = Theme::of(this).spacing;
    layout->setContentsMargins(space, space, space, space);
    layout->setSpacing(space);
    line_->addAction(lineIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    line_->setPlaceholderText(tr("Find a command, a tool, a parameter or help"));
    line_->setAccessibleName(line_->placeholderText());
    line_->installEventFilter(this);
    list_->setColumnCount(3);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setProperty("plainRows", true);
    list_->setIconSize({kIcon, kIcon});
    list_->setFrameShape(QFrame::NoFrame);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setAccessibleName(tr("Found"));
    list_->header()->setStretchLastSection(false);
    // Names are whole; places, which say less, take the rest.
    list_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    list_->header()->setMaximumSectionSize(kWidestName);
    list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    layout->addWidget(line_);
    layout->addWidget(list_);
    connect(line_, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(list_, &QTreeWidget::itemClicked, this, &CommandPalette::act);
    // The style sheet sets the height of rows, which are measured once.
    ensurePolished();
    list_->ensurePolished();
    const int width = std::min(kWidth, window->width() - 2 * kEdge);
    setFixedWidth(width);
    fill();
    move(window->mapToGlobal(QPoint((window->width() - width) / 2, kEdge)));
    line_->setFocus();
}

void CommandPalette::fill() {
    const QString query = line_->text().simplified();
    found_ = paletteMatches(entries_, query);
    if (!query.isEmpty())
        found_ << PaletteEntry{.text = tr("Go to “%1” on the sky").arg(query),
                               .place = tr("Edit"),
                               .keys = {},
                               .synonyms = {},
                               .body = {},
                               .icon = lineIcon(QStringLiteral("search")),
                               .act = {}};
    list_->clear();
    for (const PaletteEntry& entry : found_) {
        auto* item = new QTreeWidgetItem(list_, {entry.text, entry.place, entry.keys});
        item->setIcon(0, entry.icon);
        item->setDisabled(!entry.isEnabled());
        item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        for (const int column : {1, 2}) item->setForeground(column, Theme::of(this).textMuted);
        if (!entry.isEnabled()) item->setForeground(0, Theme::of(this).textFaint);
    }
    list_->setCurrentItem(list_->topLevelItem(0));
    const int rows = std::clamp(list_->topLevelItemCount(), 1, kRows);
    list_->setFixedHeight(rows * std::max(kIcon, list_->sizeHintForRow(0)) +
                          2 * list_->frameWidth());
    adjustSize();
}

// Closes first, because the action may open a dialog or a menu.
void CommandPalette::act() {
    const int at = list_->indexOfTopLevelItem(list_->currentItem());
    if (at < 0 || !found_[at].isEnabled()) return;
    const auto act = found_[at].act;
    const QString query = line_->text().simplified();
    const auto elsewhere = elsewhere_;
    close();
    act ? act() : elsewhere(query);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != line_ || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const auto& key = static_cast<const QKeyEvent&>(*event);
    const int last = list_->topLevelItemCount() - 1;
    const int at = list_->indexOfTopLevelItem(list_->currentItem());
    constexpr int kPage = 10;
    const auto show = [&](int row) {
        list_->setCurrentItem(list_->topLevelItem(std::clamp(row, 0, std::max(0, last))));
        return true;
    };
    switch (key.key()) {
        case Qt::Key_Down: return show(at == last ? 0 : at + 1);
        case Qt::Key_Up: return show(at <= 0 ? last : at - 1);
        case Qt::Key_PageDown: return show(at + kPage);
        case Qt::Key_PageUp: return show(at - kPage);
        case Qt::Key_Return:
        case Qt::Key_Enter: act(); return true;
        case Qt::Key_Escape: close(); return true;
        default: return QFrame::eventFilter(watched, event);
    }
}

}  // namespace armilla
