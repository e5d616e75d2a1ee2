// SPDX-License-Identifier: GPL-3.0-or-later
// A column of a table: typed, or chosen from a list that shows the first values of each.
#pragma once

#include <QComboBox>

#include "core/table.h"

namespace armilla {

class ColumnChoice : public QComboBox {
    Q_OBJECT
public:
    explicit ColumnChoice(QWidget* parent = nullptr);

    // What is chosen or typed stays.
    void setTable(const std::shared_ptr<const Catalog>& catalog);
    // "Jy · 12.3, 11.9, 12.0 …": unit and first values, as the list shows them.
    static QString preview(const TableColumn& column);
    // That of an item, for tests.
    QString previewAt(int index) const;

signals:
    void chosen(const QString& column);

private:
    std::shared_ptr<const Catalog> catalog_;
};

}  // namespace armilla
