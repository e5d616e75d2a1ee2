// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/column_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "armilla/figure/unit_text.h"
#include "armilla/session/job_runner.h"
#include "panels/small_widgets.h"

namespace armilla {
namespace {

constexpr int kBins = 60;
constexpr int kWidth = 264;

QString number(double value) {
    return std::isfinite(value) ? numberTypeset(QString::number(value, 'g', 5))
                                : QStringLiteral("–");
}

}  // namespace

ColumnCard::ColumnCard(JobRunner& jobs, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      histogram_(new RangeHistogram(this)),
      title_(new QLabel(this)),
      text_(mutedLabel({}, this)) {
    setFixedWidth(kWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 4);
    layout->setSpacing(2);
    auto* head = new QHBoxLayout;
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    head->addWidget(title_, 1);
    auto* close = new QToolButton(this);
    close->setIcon(lineIcon(QStringLiteral("close")));
    close->setIconSize({12, 12});
    close->setProperty("flat", true);
    close->setToolTip(tr("Close the histogram"));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, &ColumnCard::closeRequested);
    head->addWidget(close);
    layout->addLayout(head);
    layout->addWidget(histogram_, 1);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(text_);
}

QString ColumnCard::text() const {
    return text_->text();
}

void ColumnCard::setColumn(const std::shared_ptr<const Catalog>& catalog, int column,
                           const RowNumbers& rows) {
    if (catalog == catalog_ && column == column_ && rows == rows_) return;
    if (catalog != catalog_ || column != column_) {
        summary_ = {};
        histogram_->setSummary({});
        histogram_->setRange({});
        text_->clear();
    }
    catalog_ = catalog;
    rows_ = rows;
    column_ = column;
    isStale_ = true;
    if (isVisible()) renew();
}

void ColumnCard::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (isStale_) renew();
}

void ColumnCard::renew() {
    const QString slot = QStringLiteral("column-summary");
    isStale_ = false;
    if (!catalog_ || column_ < 0) return jobs_.cancelSlot(slot);
    const TableColumn& column = catalog_->table.columns[static_cast<size_t>(column_)];
    QString title =
        QStringLiteral("<b>%1</b>").arg(QString::fromStdString(column.name).toHtmlEscaped());
    if (!column.unit.empty())
        title +=
            QStringLiteral(" ") + unitText(QString::fromStdString(column.unit)).toHtmlEscaped();
    title_->setText(title);
    title_->setToolTip(QString::fromStdString(column.description));
    jobs_.run<ColumnSummary>(
        tr("Summary of %1").arg(QString::fromStdString(column.name)), JobLane::Preview, slot, this,
        [catalog = catalog_, at = column_, rows = rows_](JobContext& job) {
            return summaryOf(catalog->table.columns[static_cast<size_t>(at)], rows, kBins, job);
        },
        [this, catalog = catalog_, at = column_](const ColumnSummary& made) {
            if (catalog != catalog_ || at != column_) return;
            summary_ = made;
            showSummary();
        },
        [this](const QString& line) { text_->setText(line); });
}

void ColumnCard::showSummary() {
    histogram_->setSummary(summary_);
    const TableColumn& column = catalog_->table.columns[static_cast<size_t>(column_)];
    QStringList lines;
    if (!column.isText())
        lines << tr("min %1 · max %2").arg(number(summary_.least), number(summary_.largest))
              << tr("mean %1 · median %2").arg(number(summary_.mean), number(summary_.median));
    QString blanks = summary_.blanks == 0
                         ? tr("no blanks")
                         : tr("%1 of %2 blank")
                               .arg(groupedDigits(summary_.blanks), groupedDigits(summary_.rows));
    if (column.width > 1) blanks += tr(" · the first of %1 values").arg(column.width);
    lines << blanks;
    text_->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace armilla
