// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet/columns.h"

#include <array>

#include "armilla/core/error.h"

namespace armilla::parquet {

namespace {

// Deeper schemas are damaged; writers of tables nest a few levels.
constexpr int kDeepest = 32;
constexpr size_t kMostLetters = size_t{1} << 26U;  // 1000 letters in each of 67,000 columns
// Decimal numbers of 128 bits, the most that other programs write for a precision up to 38.
constexpr int32_t kMostDecimalBytes = 16;

Held heldFixed(const SchemaNode& node) {
    if (node.typeLength < 1 || node.logical == Logical::Interval) return Held::None;
    if (node.logical == Logical::Float16) return node.typeLength == 2 ? Held::Float : Held::None;
    if (node.logical == Logical::Decimal)
        return node.typeLength <= kMostDecimalBytes ? Held::Double : Held::None;
    if (node.logical == Logical::Uuid && node.typeLength != 16) return Held::None;
    return Held::Text;
}

Held heldAs(const SchemaNode& node) {
    // The scale of a decimal number is the number of its decimal places.
    if (node.logical == Logical::Decimal && (node.scale < 0 || node.scale > 76)) return Held::None;
    switch (node.physical) {
        case Physical::Boolean:
        case Physical::Int96: return Held::Integer;
        case Physical::Int32:
        case Physical::Int64:
            return node.logical == Logical::Decimal ? Held::Double : Held::Integer;
        case Physical::Float: return Held::Float;
        case Physical::Double: return Held::Double;
        case Physical::ByteArray:
            return node.logical == Logical::Decimal ? Held::Double : Held::Text;
        case Physical::FixedBytes: return heldFixed(node);
        default: return Held::None;
    }
}

std::string unitOf(const SchemaNode& node) {
    constexpr std::array<const char*, 4> kUnits = {"", "ms", "us", "ns"};
    if (node.physical == Physical::Int96) return "ns";
    if (node.logical == Logical::Date) return "d";
    const bool isTime = node.logical == Logical::Time || node.logical == Logical::Timestamp;
    return isTime && node.timeUnit > 0 && node.timeUnit < 4
               ? kUnits.at(static_cast<size_t>(node.timeUnit))
               : "";
}

class SchemaWalk {
public:
    explicit SchemaWalk(const std::vector<SchemaNode>& nodes) : nodes_(nodes) {}

    std::vector<Column> columns() {
        if (nodes_.empty()) refuseDamaged();
        const int32_t children = nodes_[at_++].children;
        for (int32_t i = 0; i < children; ++i) visit({}, 0);
        if (at_ != nodes_.size()) refuseDamaged();
        return std::move(found_);
    }

private:
    [[noreturn]] static void refuseDamaged() {
        throw IoError("expected a schema of columns, found a damaged one");
    }

    // Visits the next node below `parent`, whose name and levels its children inherit.
    void visit(const Column& parent, int depth) {
        if (at_ >= nodes_.size() || depth > kDeepest) refuseDamaged();
        Column column = parent;
        column.node = nodes_[at_++];
        // The parts of a list are not read, so that the name of the list suffices.
        if (parent.name.empty())
            column.name = column.node.name;
        else if (column.node.repetition != Repetition::Repeated && column.maxRepetition == 0)
            column.name += "." + column.node.name;
        // A long name of a group would stand in each of its many columns.
        letters_ += column.name.size();
        if (letters_ > kMostLetters)
            throw IoError("expected names of less than " + std::to_string(kMostLetters) +
                          " letters, found longer ones in a schema of " +
                          std::to_string(nodes_.size()) + " columns");
        if (column.node.repetition != Repetition::Required) ++column.maxDefinition;
        if (column.node.repetition == Repetition::Repeated) ++column.maxRepetition;
        if (column.node.physical == Physical::None || column.node.children > 0) {
            for (int32_t i = 0; i < column.node.children; ++i) visit(column, depth + 1);
            return;
        }
        column.leaf = found_.size();
        column.held = column.maxRepetition == 0 ? heldAs(column.node) : Held::None;
        column.unit = unitOf(column.node);
        found_.push_back(std::move(column));
    }

    const std::vector<SchemaNode>& nodes_;
    size_t at_ = 0;
    size_t letters_ = 0;  // total of the names so far
    std::vector<Column> found_;
};

}  // namespace

std::vector<Column> columnsOf(const Metadata& metadata) {
    return SchemaWalk(metadata.schema).columns();
}

}  // namespace armilla::parquet
