// SPDX-License-Identifier: GPL-3.0-or-later
// Tree model of the layers: the showable quantities of each map, and results below their parent.
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <unordered_map>
#include <vector>

#include "armilla/session/document.h"

namespace armilla {

class MapsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role {
        DetailRole = Qt::UserRole,  // the second line
        EntryRole,                  // id of the Layer
        ShownRole,                  // bool: in the picture as A
        ComparedRole,               // bool: in the picture as B
        LiveRole,                   // bool: a preview, not kept
        DerivedRole,                // bool: made from another layer
        LayerRole,                  // bool: a layer; false: a field of a map
        VisibleRole,                // bool: overlaid layers, and curves in the plot
        DetachedRole                // bool: an input is no longer open
    };

    // The document must outlive the model.
    explicit MapsModel(const Document& document, QObject* parent = nullptr);
    ~MapsModel() override;

    // Content of a row; its entry is invalid for an invalid index.
    Shown shownAt(const QModelIndex& index) const;
    QModelIndex indexOfEntry(LayerId entry) const;
    // The row of exactly this quantity; else that of its map.
    QModelIndex indexOf(const Shown& shown) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    // In-place renaming: emits renameRequested.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    // The next layer above (-1) or below (+1) with the same parent; invalid if none.
    QModelIndex beside(const QModelIndex& index, int step) const;
    // Dragging a layer to another position among its siblings: emits moveRequested.
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

signals:
    void renameRequested(LayerId entry, const QString& name);
    void moveRequested(LayerId entry, LayerId to);
    // Rows were added or removed; emitted once for each change of the document.
    void rowsFollowed();

private:
    struct Node;
    std::unique_ptr<Node> tree() const;
    // Updates the rows to the document, with as few row operations as changes.
    void follow();
    bool removeGone(Node& have, const Node& want);
    bool insertNew(Node& have, Node& want);
    void learn(Node& node);
    void forget(const Node& node);
    void noteTexts(const Node& node);
    // Updates the rows of the previous and the present picture.
    void followPicture();
    QModelIndex indexOfNode(const Node* node) const;
    // The layer whose position a drop takes; invalid if nothing changes.
    LayerId dropTarget(const QMimeData* data, int row, const QModelIndex& parent) const;
    const Node* find(const Shown& shown) const;

    const Document& document_;
    std::unique_ptr<Node> root_;
    std::unordered_map<LayerId, Node*> layers_;  // by id
    Shown shown_, compared_;
};

// Showable quantities of a map: its fields, and amplitude and angle if it has Q and U.
std::vector<Shown> showables(const Layer& entry);
// "TEMPERATURE · K", "polarized amplitude · K".
QString showableText(const Layer& entry, const Shown& shown);
// The steps that made a map, oldest first: "open sky.fits", "smooth 60′".
QStringList historyOf(const Document& document, LayerId entry);

}  // namespace armilla
