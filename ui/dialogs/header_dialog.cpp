// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/header_dialog.h"

#include <QFontDatabase>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include "armilla/ui/icons.h"

namespace armilla {

HeaderDialog::HeaderDialog(const QString& title, const QString& cards, QWidget* parent)
    : QDialog(parent),
      cards_(cards),
      search_(new QLineEdit(this)),
      text_(new QPlainTextEdit(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(title);
    search_->setPlaceholderText(tr("Find a keyword or value"));
    search_->setAccessibleName(search_->placeholderText());
    search_->addAction(lineIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    text_->setReadOnly(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text_->setAccessibleName(tr("Header of the file"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(search_);
    layout->addWidget(text_, 1);
    connect(search_, &QLineEdit::textChanged, this, &HeaderDialog::filter);
    const QFontMetrics metrics(text_->font());
    resize(metrics.horizontalAdvance(QLatin1Char('M')) * 84 + 40, 560);
    filter();
}

QString HeaderDialog::shownText() const {
    return text_->toPlainText();
}

void HeaderDialog::filter() {
    const QString wanted = search_->text().trimmed();
    if (wanted.isEmpty()) return text_->setPlainText(cards_);
    QStringList found;
    for (const QString& line : cards_.split(QLatin1Char('\n')))
        if (line.contains(wanted, Qt::CaseInsensitive)) found << line;
    text_->setPlainText(found.join(QLatin1Char('\n')));
}

}  // namespace armilla
