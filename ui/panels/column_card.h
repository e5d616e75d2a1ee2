// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram and summary of one column of a catalog.
#pragma once

#include <QWidget>

#include "plots/range_histogram.h"

class QLabel;

namespace armilla {

class JobRunner;

class ColumnCard : public QWidget {
    Q_OBJECT
public:
    // The job runner must outlive the card.
    explicit ColumnCard(JobRunner& jobs, QWidget* parent = nullptr);

    // Shows a column of the rows; the summary follows by a job. A null catalog clears the card.
    void setColumn(const std::shared_ptr<const Catalog>& catalog, int column,
                   const RowNumbers& rows);
    int column() const { return column_; }
    const ColumnSummary& summary() const { return summary_; }
    RangeHistogram* histogram() const { return histogram_; }
    QString text() const;

signals:
    void closeRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void renew();
    void showSummary();

    JobRunner& jobs_;
    std::shared_ptr<const Catalog> catalog_;
    RowNumbers rows_;
    int column_ = -1;
    bool isStale_ = false;
    ColumnSummary summary_;
    RangeHistogram* histogram_;
    QLabel *title_, *text_;
};

}  // namespace armilla
