// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/maps_model.h"

#include <algorithm>
#include <map>

#include "ui/cursor_readout.h"

namespace armilla {

struct MapsModel::Node {
    Shown shown;
    bool isMap = true;
    Node* parent = nullptr;
    int row = 0;
    std::vector<std::unique_ptr<Node>> children;

    Node* add(const Shown& what, bool map) {
        auto node = std::make_unique<Node>();
        node->shown = what;
        node->isMap = map;
        node->parent = this;
        node->row = static_cast<int>(children.size());
        children.push_back(std::move(node));
        return children.back().get();
    }
};

std::vector<Shown> showables(const Layer& entry) {
    std::vector<Shown> result;
    if (!entry.map) return result;
    for (int field = 0; field < entry.map->fieldCount(); ++field)
        result.push_back({entry.id, field, Quantity::Field});
    if (const auto pair = entry.map->polarizationPair()) {
        result.push_back({entry.id, pair->first, Quantity::PolarizedAmplitude});
        result.push_back({entry.id, pair->first, Quantity::PolarizationAngle});
    }
    return result;
}

QString showableText(const Layer& entry, const Shown& shown) {
    if (!entry.map) return {};
    const QString unit = unitOf(*entry.map, shown);
    const QString title = titleOf(*entry.map, shown);
    return unit.isEmpty() ? title : QStringLiteral("%1 · %2").arg(title, unit);
}

QStringList historyOf(const Document& document, int entry) {
    QStringList steps;
    // A parent is always an older entry, so the chain ends; the bound guards a damaged session.
    for (size_t depth = 0; depth <= document.entries().size(); ++depth) {
        const Layer* map = document.entry(entry);
        if (!map) break;
        steps.prepend(map->recipe.title());
        entry = map->parent;
    }
    return steps;
}

MapsModel::MapsModel(const Document& document, QObject* parent)
    : QAbstractItemModel(parent), document_(document), root_(std::make_unique<Node>()) {
    connect(&document_, &Document::entriesChanged, this, [this] {
        if (sameShape())
            updateDetails();
        else
            rebuild();
    });
    connect(&document_, &Document::shownChanged, this, &MapsModel::updateDetails);
    connect(&document_, &Document::comparisonChanged, this, &MapsModel::updateDetails);
    connect(&document_, &Document::styleChanged, this, [this](int layer) {
        const QModelIndex index = indexOfEntry(layer);
        if (index.isValid()) emit dataChanged(index, index);
    });
    rebuild();
}

MapsModel::~MapsModel() = default;

bool MapsModel::sameShape() const {
    const auto& entries = document_.entries();
    return std::equal(entries.begin(), entries.end(), built_.begin(), built_.end(),
                      [](const Layer& entry, const auto& built) {
                          // A live result is replaced many times a second; its rows stay.
                          return entry.id == built.first &&
                                 (entry.live || entry.identity() == built.second);
                      });
}

void MapsModel::rebuild() {
    beginResetModel();
    root_ = std::make_unique<Node>();
    built_.clear();
    std::map<int, Node*> known;
    for (const Layer& entry : document_.entries()) {
        built_.emplace_back(entry.id, entry.identity());
        const auto parent = known.find(entry.parent);
        Node* above = parent == known.end() ? root_.get() : parent->second;
        Node* node = above->add({entry.id, 0, Quantity::Field}, true);
        known.emplace(entry.id, node);
        const auto all = showables(entry);
        if (all.size() > 1)
            for (const Shown& shown : all) node->add(shown, false);
    }
    endResetModel();
}

void MapsModel::updateDetails() {
    const auto emitBelow = [this](const auto& self, const Node& node) -> void {
        if (node.children.empty()) return;
        emit dataChanged(createIndex(0, 0, node.children.front().get()),
                         createIndex(node.children.back()->row, 0, node.children.back().get()));
        for (const auto& child : node.children) self(self, *child);
    };
    emitBelow(emitBelow, *root_);
}

const MapsModel::Node* MapsModel::find(const Shown& shown) const {
    const Node* map = nullptr;
    const Node* exact = nullptr;
    const auto search = [&](const auto& self, const Node& node) -> void {
        for (const auto& child : node.children) {
            if (child->isMap && child->shown.entry == shown.entry) map = child.get();
            if (!child->isMap && child->shown == shown) exact = child.get();
            self(self, *child);
        }
    };
    search(search, *root_);
    return exact ? exact : map;
}

QModelIndex MapsModel::indexOfNode(const Node* node) const {
    if (!node || node == root_.get()) return {};
    return createIndex(node->row, 0, const_cast<Node*>(node));
}

QModelIndex MapsModel::indexOf(const Shown& shown) const {
    return indexOfNode(find(shown));
}

QModelIndex MapsModel::indexOfEntry(int entry) const {
    // A field that no map has: only the map's own row can match.
    return indexOfNode(find({entry, -1, Quantity::Field}));
}

Shown MapsModel::shownAt(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    return static_cast<const Node*>(index.internalPointer())->shown;
}

QModelIndex MapsModel::index(int row, int column, const QModelIndex& parent) const {
    const Node* above =
        parent.isValid() ? static_cast<const Node*>(parent.internalPointer()) : root_.get();
    if (column != 0 || row < 0 || row >= static_cast<int>(above->children.size())) return {};
    return createIndex(row, 0, above->children[static_cast<size_t>(row)].get());
}

QModelIndex MapsModel::parent(const QModelIndex& child) const {
    if (!child.isValid()) return {};
    return indexOfNode(static_cast<const Node*>(child.internalPointer())->parent);
}

int MapsModel::rowCount(const QModelIndex& parent) const {
    const Node* node =
        parent.isValid() ? static_cast<const Node*>(parent.internalPointer()) : root_.get();
    return static_cast<int>(node->children.size());
}

int MapsModel::columnCount(const QModelIndex&) const {
    return 1;
}

QVariant MapsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Node& node = *static_cast<const Node*>(index.internalPointer());
    const Layer* entry = document_.entry(node.shown.entry);
    if (!entry) return {};
    const auto isIn = [&](const Shown& picture) {
        return node.isMap ? picture.entry == entry->id : picture == node.shown;
    };
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole: return node.isMap ? entry->name : showableText(*entry, node.shown);
        case Qt::ToolTipRole: {
            if (!node.isMap) return {};
            QString steps = historyOf(document_, entry->id).join(QStringLiteral("\n"));
            if (document_.isDetached(*entry))
                steps += tr("\nDetached: what it was made from is closed; its values stay.");
            return steps;
        }
        case Qt::AccessibleTextRole:
            return node.isMap ? QStringLiteral("%1, %2, %3")
                                    .arg(entry->name, factsOf(entry->kind()).noun(), entry->detail)
                              : showableText(*entry, node.shown);
        case DetailRole:
            if (!node.isMap) return QString();
            return document_.isDetached(*entry) ? tr("detached · %1").arg(entry->detail)
                                                : entry->detail;
        case EntryRole: return entry->id;
        case ShownRole: return isIn(document_.shown());
        case ComparedRole:
            return document_.comparison() != Comparison::Single && isIn(document_.compared());
        case LiveRole: return entry->live;
        case DerivedRole: return node.isMap && entry->parent >= 0;
        case LayerRole: return node.isMap;
        case VisibleRole: return entry->style.visible;
        case DetachedRole: return document_.isDetached(*entry);
        default: return {};
    }
}

bool MapsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const QString name = value.toString().trimmed();
    if (role != Qt::EditRole || !index.isValid() || name.isEmpty()) return false;
    if (name == data(index, Qt::EditRole).toString()) return false;
    emit renameRequested(shownAt(index).entry, name);
    return true;
}

Qt::ItemFlags MapsModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    const Qt::ItemFlags common = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return data(index, LayerRole).toBool() ? common | Qt::ItemIsEditable : common;
}

}  // namespace armilla
