// SPDX-License-Identifier: GPL-3.0-or-later
// A choice of a table column: typed, or chosen from a list with the first values of each column.
#pragma once

#include <QComboBox>

#include "armilla/core/table.h"

namespace armilla {

class ColumnChoice : public QComboBox {
    Q_OBJECT
public:
    // Role of an item's preview.
    static constexpr int kPreviewRole = Qt::UserRole + 1;

    explicit ColumnChoice(QWidget* parent = nullptr);

    // Keeps the chosen or typed text.
    void setTable(const std::shared_ptr<const Catalog>& catalog);
    // Unit and first values, as in the list: "Jy · 12.3, 11.9, 12.0 …".
    static QString preview(const TableColumn& column);

signals:
    void chosen(const QString& column);

private:
    std::shared_ptr<const Catalog> catalog_;
};

}  // namespace armilla
