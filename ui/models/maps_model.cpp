// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/maps_model.h"

#include <QMimeData>
#include <algorithm>
#include <iterator>

#include "armilla/session/layer_links.h"
#include "armilla/ui/cursor_readout.h"
#include "armilla/ui/guarded_application.h"

namespace armilla {

struct MapsModel::Node {
    Shown shown;
    bool isMap = true;
    Node* parent = nullptr;
    int row = 0;
    std::vector<std::unique_ptr<Node>> children;
    // Last emitted texts of a layer's row and its field rows.
    struct Emitted {
        QString name, detail;
        bool live = false;
        const void* identity = nullptr;
        bool operator==(const Emitted&) const = default;
    } emitted;

    bool isRowOf(const Node& other) const {
        return isMap == other.isMap &&
               (isMap ? shown.entry == other.shown.entry : shown == other.shown);
    }
    void number() {
        for (size_t i = 0; i < children.size(); ++i) {
            children[i]->row = static_cast<int>(i);
            children[i]->parent = this;
        }
    }
};

namespace {

QString detailOf(const Document& document, const Layer& layer) {
    return isDetached(document, layer) ? MapsModel::tr("detached · %1").arg(layer.detail)
                                       : layer.detail;
}

}  // namespace

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

QStringList historyOf(const Document& document, LayerId entry) {
    QStringList steps;
    // A parent is always an older entry, so the chain ends; the bound guards a damaged session.
    for (size_t depth = 0; depth <= document.entries().size(); ++depth) {
        const Layer* map = document.entry(entry);
        if (!map) break;
        steps.prepend(map->recipe.shownTitle());
        entry = map->parent;
    }
    return steps;
}

MapsModel::MapsModel(const Document& document, QObject* parent)
    : QAbstractItemModel(parent), document_(document), root_(std::make_unique<Node>()) {
    connect(&document_, &Document::entriesChanged, this, &MapsModel::follow);
    connect(&document_.view(), &DocumentView::shownChanged, this, &MapsModel::followPicture);
    connect(&document_.view(), &DocumentView::comparisonChanged, this, &MapsModel::followPicture);
    connect(&document_.drawings(), &LayerDrawings::styleChanged, this, [this](LayerId layer) {
        const QModelIndex index = indexOfEntry(layer);
        if (index.isValid()) emit dataChanged(index, index);
    });
    follow();
}

MapsModel::~MapsModel() = default;

std::unique_ptr<MapsModel::Node> MapsModel::tree() const {
    std::vector<std::unique_ptr<Node>> nodes;
    std::unordered_map<LayerId, Node*> known;
    for (const Layer& entry : document_.entries()) {
        nodes.push_back(std::make_unique<Node>());
        Node* node = nodes.back().get();
        node->shown = {entry.id, 0, Quantity::Field};
        known.emplace(entry.id, node);
        const auto all = showables(entry);
        if (all.size() < 2) continue;
        for (const Shown& shown : all) {
            node->children.push_back(std::make_unique<Node>());
            node->children.back()->shown = shown;
            node->children.back()->isMap = false;
        }
    }
    // A relinked layer may have been opened before its source.
    auto root = std::make_unique<Node>();
    for (size_t i = 0; i < nodes.size(); ++i) {
        const auto parent = known.find(document_.entries()[i].parent);
        (parent == known.end() ? root.get() : parent->second)
            ->children.push_back(std::move(nodes[i]));
    }
    for (const auto& [id, node] : known) node->number();
    root->number();
    return root;
}

void MapsModel::follow() {
    const std::unique_ptr<Node> wanted = tree();
    // All removals precede the insertions: a result whose source is closed moves.
    const bool goes = removeGone(*root_, *wanted), comes = insertNew(*root_, *wanted);
    noteTexts(*root_);
    followPicture();
    if (goes || comes) emit rowsFollowed();
}

void MapsModel::learn(Node& node) {
    if (node.isMap) layers_[node.shown.entry] = &node;
    for (const auto& child : node.children) learn(*child);
}

void MapsModel::forget(const Node& node) {
    if (node.isMap) layers_.erase(node.shown.entry);
    for (const auto& child : node.children) forget(*child);
}

// Rows with a new parent or in another order count as removed.
bool MapsModel::removeGone(Node& have, const Node& want) {
    std::vector<const Node*> twin(have.children.size(), nullptr);
    for (size_t i = 0, next = 0; i < have.children.size(); ++i) {
        size_t at = next;
        while (at < want.children.size() && !have.children[i]->isRowOf(*want.children[at])) ++at;
        if (at == want.children.size()) continue;
        twin[i] = want.children[at].get();
        next = at + 1;
    }
    bool any = false;
    for (size_t i = 0; i < have.children.size(); ++i)
        if (twin[i]) any = removeGone(*have.children[i], *twin[i]) || any;
    for (size_t end = have.children.size(); end > 0;) {
        if (twin[end - 1]) {
            --end;
            continue;
        }
        size_t begin = end;
        while (begin > 0 && !twin[begin - 1]) --begin;
        beginRemoveRows(indexOfNode(&have), static_cast<int>(begin), static_cast<int>(end - 1));
        const auto first = have.children.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = have.children.begin() + static_cast<std::ptrdiff_t>(end);
        std::for_each(first, last, [this](const auto& child) { forget(*child); });
        have.children.erase(first, last);
        have.number();
        endRemoveRows();
        any = true;
        end = begin;
    }
    return any;
}

// Existing rows already have the requested order; missing ones are inserted between, run by run.
bool MapsModel::insertNew(Node& have, Node& want) {
    const auto isThere = [&](size_t row, size_t at) {
        return at < have.children.size() && have.children[at]->isRowOf(*want.children[row]);
    };
    bool any = false;
    for (size_t row = 0; row < want.children.size();) {
        if (isThere(row, row)) {
            any = insertNew(*have.children[row], *want.children[row]) || any;
            ++row;
            continue;
        }
        size_t end = row + 1;
        while (end < want.children.size() && !isThere(end, row)) ++end;
        beginInsertRows(indexOfNode(&have), static_cast<int>(row), static_cast<int>(end - 1));
        const auto first = want.children.begin() + static_cast<std::ptrdiff_t>(row);
        const auto last = want.children.begin() + static_cast<std::ptrdiff_t>(end);
        std::for_each(first, last, [this](const auto& child) { learn(*child); });
        have.children.insert(have.children.begin() + static_cast<std::ptrdiff_t>(row),
                             std::make_move_iterator(first), std::make_move_iterator(last));
        have.number();
        endInsertRows();
        any = true;
        row = end;
    }
    return any;
}

void MapsModel::noteTexts(const Node& node) {
    for (const auto& child : node.children) {
        const Layer* layer = child->isMap ? document_.entry(child->shown.entry) : nullptr;
        if (!layer) continue;
        const Node::Emitted now{layer->name, detailOf(document_, *layer), layer->live,
                                layer->identity()};
        if (!(child->emitted == now)) {
            const bool isOther = child->emitted.identity != now.identity;
            child->emitted = now;
            const QModelIndex index = indexOfNode(child.get());
            emit dataChanged(index, index);
            if (isOther && !child->children.empty())
                emit dataChanged(this->index(0, 0, index),
                                 this->index(rowCount(index) - 1, 0, index));
        }
        noteTexts(*child);
    }
}

void MapsModel::followPicture() {
    const Shown before[] = {shown_, compared_};
    shown_ = document_.view().shown();
    compared_ =
        document_.view().comparison() == Comparison::Single ? Shown{} : document_.view().compared();
    if (before[0] == shown_ && before[1] == compared_) return;
    for (const Shown& each : {before[0], before[1], shown_, compared_}) {
        const auto found = layers_.find(each.entry);
        if (found == layers_.end()) continue;
        const QModelIndex layer = indexOfNode(found->second);
        emit dataChanged(layer, layer);
        const QModelIndex field = indexOf(each);
        if (field != layer) emit dataChanged(field, field);
    }
}

const MapsModel::Node* MapsModel::find(const Shown& shown) const {
    const auto found = layers_.find(shown.entry);
    if (found == layers_.end()) return nullptr;
    for (const auto& child : found->second->children)
        if (!child->isMap && child->shown == shown) return child.get();
    return found->second;
}

QModelIndex MapsModel::indexOfNode(const Node* node) const {
    if (!node || node == root_.get()) return {};
    return createIndex(node->row, 0, const_cast<Node*>(node));
}

QModelIndex MapsModel::indexOf(const Shown& shown) const {
    return indexOfNode(find(shown));
}

QModelIndex MapsModel::indexOfEntry(LayerId entry) const {
    // No map has this field, so only the row of the map can match.
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
    return guardedCall("MapsModel::data", [&]() -> QVariant {
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
                if (!node.isMap) return showableText(*entry, node.shown);
                QString steps = detailOf(document_, *entry) + QLatin1Char('\n') +
                                historyOf(document_, entry->id).join(QLatin1Char('\n'));
                if (isDetached(document_, *entry))
                    steps += tr("\nDetached: what it was made from is closed; its values stay.");
                return steps;
            }
            case Qt::AccessibleTextRole:
                return node.isMap
                           ? QStringLiteral("%1, %2, %3")
                                 .arg(entry->name, factsOf(entry->kind()).noun(), entry->detail)
                           : showableText(*entry, node.shown);
            case DetailRole:
                if (!node.isMap) return QString();
                return detailOf(document_, *entry);
            case EntryRole: return QVariant::fromValue(entry->id);
            case ShownRole: return isIn(document_.view().shown());
            case ComparedRole:
                return document_.view().comparison() != Comparison::Single &&
                       isIn(document_.view().compared());
            case LiveRole: return entry->live;
            case DerivedRole: return node.isMap && entry->parent.isValid();
            case LayerRole: return node.isMap;
            case VisibleRole: return entry->style.visible;
            case DetachedRole: return isDetached(document_, *entry);
            default: return {};
        }
    });
}

bool MapsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const QString name = value.toString().trimmed();
    if (role != Qt::EditRole || !index.isValid() || name.isEmpty()) return false;
    if (name == data(index, Qt::EditRole).toString()) return false;
    emit renameRequested(shownAt(index).entry, name);
    return true;
}

Qt::ItemFlags MapsModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::ItemIsDropEnabled;  // between rows, and below the last
    const Qt::ItemFlags common = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (!data(index, LayerRole).toBool()) return common;
    const Qt::ItemFlags layer = common | Qt::ItemIsEditable | Qt::ItemIsDropEnabled;
    return data(index, LiveRole).toBool() ? layer : layer | Qt::ItemIsDragEnabled;
}

QModelIndex MapsModel::beside(const QModelIndex& index, int step) const {
    QModelIndex other = index;
    do other = other.sibling(other.row() + step, 0);
    while (other.isValid() && !other.data(LayerRole).toBool());
    return other;
}

QStringList MapsModel::mimeTypes() const {
    return {QStringLiteral("application/x-armilla-layer")};
}

QMimeData* MapsModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty()) return nullptr;
    auto* data = new QMimeData;
    data->setData(mimeTypes().front(), QByteArray::number(shownAt(indexes.front()).entry.number()));
    return data;
}

LayerId MapsModel::dropTarget(const QMimeData* data, int row, const QModelIndex& parent) const {
    if (!data->hasFormat(mimeTypes().front())) return {};
    const QModelIndex dragged = indexOfEntry(LayerId(data->data(mimeTypes().front()).toInt()));
    if (!dragged.isValid()) return {};
    QModelIndex target = parent;  // a drop on a row takes its position
    if (row >= 0) {
        // A drop between two rows takes the upper position if the layer comes from above.
        if (parent != dragged.parent()) return {};
        target = index(dragged.row() < row ? row - 1 : row, 0, parent);
        // After the last row.
        if (!target.isValid()) target = index(rowCount(parent) - 1, 0, parent);
    } else if (!target.isValid()) {
        target = index(rowCount() - 1, 0);  // below all rows
    }
    const bool isBeside = target.isValid() && target != dragged &&
                          target.parent() == dragged.parent() && target.data(LayerRole).toBool() &&
                          !target.data(LiveRole).toBool();
    return isBeside ? shownAt(target).entry : LayerId();
}

bool MapsModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int row, int,
                                const QModelIndex& parent) const {
    return dropTarget(data, row, parent).isValid();
}

bool MapsModel::dropMimeData(const QMimeData* data, Qt::DropAction, int row, int,
                             const QModelIndex& parent) {
    if (const LayerId target = dropTarget(data, row, parent); target.isValid())
        emit moveRequested(LayerId(data->data(mimeTypes().front()).toInt()), target);
    return false;  // the rows follow the document, so the view must not remove any
}

}  // namespace armilla
