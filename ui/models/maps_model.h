// SPDX-License-Identifier: GPL-3.0-or-later
// The layers as a tree: each one, under a map what of it can be shown, and what was made from it.
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <unordered_map>
#include <vector>

#include "session/document.h"

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
        VisibleRole,                // bool: what lies over the map, and curves in the plot
        DetachedRole                // bool: something it was made from is not open any more
    };

    // The document must outlive the model.
    explicit MapsModel(const Document& document, QObject* parent = nullptr);
    ~MapsModel() override;

    // What a row stands for; its entry is -1 for an invalid index.
    Shown shownAt(const QModelIndex& index) const;
    QModelIndex indexOfEntry(int entry) const;
    // The row of exactly this; that of its map if there is none.
    QModelIndex indexOf(const Shown& shown) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    // Layers are renamed in place: the model asks for it by renameRequested.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    // The next layer above (-1) or below (+1) among those made of the same one; invalid if none.
    QModelIndex beside(const QModelIndex& index, int step) const;
    // Layers are dragged to another place among those: moveRequested.
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

signals:
    void renameRequested(int entry, const QString& name);
    void moveRequested(int entry, int to);
    // Rows have come or gone: all of a change of the document.
    void rowsFollowed();

private:
    struct Node;
    std::unique_ptr<Node> tree() const;
    // Brings the rows to what the document is, by as few steps as there are changes.
    void follow();
    bool removeGone(Node& have, const Node& want);
    bool insertNew(Node& have, Node& want);
    void learn(Node& node);
    void forget(const Node& node);
    void noteTexts(const Node& node);
    // The rows of what is in the picture, as it was and as it is.
    void followPicture();
    QModelIndex indexOfNode(const Node* node) const;
    // The layer whose place a drop takes; -1 where it changes nothing.
    int dropTarget(const QMimeData* data, int row, const QModelIndex& parent) const;
    const Node* find(const Shown& shown) const;

    const Document& document_;
    std::unique_ptr<Node> root_;
    std::unordered_map<int, Node*> layers_;  // by number
    Shown shown_, compared_;
};

// What of a map can be shown: its fields, and amplitude and angle where there are Q and U.
std::vector<Shown> showables(const Layer& entry);
// "TEMPERATURE · K", "polarized amplitude · K".
QString showableText(const Layer& entry, const Shown& shown);
// The steps by which a map came to be, oldest first: "open sky.fits", "smooth 60′".
QStringList historyOf(const Document& document, int entry);

}  // namespace armilla
