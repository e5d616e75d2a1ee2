// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of VOTable 1.0 to 1.5 (IVOA recommendation): one TABLE with TABLEDATA, BINARY or BINARY2.
#include <algorithm>
#include <array>
#include <bit>
#include <pugixml.hpp>

#include "armilla/core/error.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/core/memory_limit.h"
#include "base64.h"
#include "column_builder.h"
#include "table_formats.h"
#include "text_file.h"
#include "utf8_text.h"
#include "xml_rows.h"

namespace armilla {

namespace {

using pugi::xml_node;
using Type = ColumnBuilder::Type;

// Element name without its namespace prefix.
std::string_view localName(const xml_node& node) {
    const std::string_view name = node.name();
    const size_t colon = name.find(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

xml_node childNamed(const xml_node& parent, std::string_view name) {
    for (const xml_node child : parent.children())
        if (localName(child) == name) return child;
    return {};
}

// The text of an element: direct text and character data.
std::string textOf(const xml_node& node) {
    std::string text = node.value();
    for (const xml_node child : node.children())
        if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
            text += child.value();
    return text;
}

struct FieldSpec {
    TableColumn column;
    Type type = Type::Text;
    std::string datatype;   // empty: unspecified, types are inferred
    int64_t letters = 0;    // length of each text if a row contains several
    bool variable = false;  // rows hold different numbers of values
    bool complex = false;   // two numbers for each value
    std::string system;     // ID of a COOSYS
    bool leftOut = false;
    bool isWanted = true;  // values of other columns are not decoded from TABLEDATA
};

// Parses arraysize: "", "3", "8x3", "*", "16*", "8x*". False for other text.
bool readArraySize(const std::string& text, FieldSpec& field) {
    if (trimmed(text).empty()) return true;
    std::vector<int64_t> sizes;
    std::string rest = trimmed(text) + "x";
    for (size_t at = 0; at < rest.size();) {
        const size_t end = rest.find('x', at);
        std::string part = rest.substr(at, end - at);
        at = end + 1;
        if (part.ends_with('*')) {
            field.variable = true;
            sizes.push_back(-1);
            continue;
        }
        const auto size = parseInteger(part);
        if (!size || *size < 1 || *size > (int64_t{1} << 31) || field.variable) return false;
        sizes.push_back(*size);
    }
    const bool text1 = field.type == Type::Text;
    int64_t count = 1;
    for (size_t i = text1 ? 1 : 0; i < sizes.size(); ++i)
        if (__builtin_mul_overflow(count, sizes[i], &count) || count > (int64_t{1} << 31))
            return false;
    if (text1 && sizes.size() == 1) field.variable = false;  // a single text of any length
    if (text1) field.letters = sizes[0];
    if (!field.variable) field.column.width = count;
    return true;
}

// True if the XML declaration names an encoding other than UTF-8, from which pugixml converts.
bool declaresOther(std::string_view text) {
    const std::string_view declaration = text.substr(0, std::min(text.find("?>"), text.size()));
    return declaration.starts_with("<?xml") &&
           declaration.find("encoding") != std::string_view::npos &&
           upperTrimmed(declaration).find("UTF-8") == std::string::npos;
}

class VoTableReader {
public:
    VoTableReader(const std::string& path, const TableReadOptions& options)
        : path_(path), options_(options) {}

    Table read(JobContext& job) {
        text_ = readTextFile(path_);
        const xml_node node = parse(text_);
        readFields(node);
        readData(node, job);
        return finish(node);
    }

    // The columns of the table in `text`, without rows.
    Table readOutline(std::string text) {
        const xml_node node = parse(text);
        readFields(node);
        return finish(node);
    }

private:
    // Parses `text` without its rows and returns the TABLE that the options choose.
    xml_node parse(std::string& text) {
        if (!declaresOther(text)) {
            text = inUtf8(std::move(text));
            rows_ = rowsApart(text);
        }
        if (rows_.tables.empty()) rows_.rest = std::move(text);
        // An element takes 64 bytes of memory, an attribute 40; both begin at '<' or '='.
        requireMemory(path_, 64 * std::count(rows_.rest.begin(), rows_.rest.end(), '<') +
                                 40 * std::count(rows_.rest.begin(), rows_.rest.end(), '='));
        const auto parsed =
            document_.load_buffer_inplace(rows_.rest.data(), rows_.rest.size(), kParsing);
        if (!parsed) refuseXml(parsed, rows_.inWhole(static_cast<size_t>(parsed.offset)));
        const xml_node root = document_.document_element();
        if (localName(root) != "VOTABLE")
            refuse(path_, "a VOTable", "XML that starts with " + inQuotes(localName(root)));
        collect(root, 0);
        return chosenTable();
    }

    static constexpr unsigned kParsing = pugi::parse_default | pugi::parse_embed_pcdata;

    [[noreturn]] void refuseXml(const pugi::xml_parse_result& parsed, size_t position) const {
        refuse(path_, "a well-formed XML document",
               "at byte " + std::to_string(position) + ": " + parsed.description());
    }

    // Collects TABLEs and COOSYS of all resources, which may be nested. Some files have tables
    // directly under VOTABLE.
    void collect(const xml_node& node, int depth) {
        if (depth > 64) refuse(path_, "RESOURCEs nested at most 64 times", "more");
        for (const xml_node child : node.children()) {
            const std::string_view name = localName(child);
            if (name == "TABLE") tables_.push_back(child);
            if (name == "COOSYS") systems_.push_back(child);
            if (name == "RESOURCE" || name == "DEFINITIONS") collect(child, depth + 1);
        }
    }

    xml_node chosenTable() const {
        if (tables_.empty()) refuse(path_, "a VOTable with a TABLE", "none");
        if (!options_.table) return tables_.front();
        const auto number = parseInteger(*options_.table);
        std::string seen;
        for (size_t i = 0; i < tables_.size(); ++i) {
            const std::string name = tables_[i].attribute("name").value();
            if (number ? *number == static_cast<int64_t>(i) + 1 : name == *options_.table)
                return tables_[i];
            if (i < 20) seen += (i > 0 ? ", " : "") + std::to_string(i + 1) + " " + inQuotes(name);
        }
        refuse(path_, "a TABLE " + inQuotes(*options_.table), "only " + seen);
    }

    FieldSpec fieldOf(const xml_node& node) const {
        FieldSpec field;
        TableColumn& column = field.column;
        column.name = node.attribute("name").value();
        if (column.name.empty()) column.name = node.attribute("ID").value();
        column.unit = trimmed(node.attribute("unit").value());
        column.ucd = trimmed(node.attribute("ucd").value());
        column.description = trimmed(textOf(childNamed(node, "DESCRIPTION")));
        field.system = node.attribute("ref").value();
        field.datatype = node.attribute("datatype").value();
        static constexpr std::pair<std::string_view, Type> kTypes[] = {
            {"boolean", Type::Logical},
            {"bit", Type::Integer},
            {"unsignedByte", Type::Integer},
            {"short", Type::Integer},
            {"int", Type::Integer},
            {"long", Type::Integer},
            {"char", Type::Text},
            {"", Type::Text},
            {"unicodeChar", Type::Text},
            {"float", Type::Float},
            {"double", Type::Double},
            {"floatComplex", Type::Float},
            {"doubleComplex", Type::Double}};
        const auto* known =
            std::find_if(std::begin(kTypes), std::end(kTypes),
                         [&](const auto& type) { return type.first == field.datatype; });
        if (known == std::end(kTypes))
            refuse(path_, "a datatype of VOTable in FIELD " + inQuotes(column.name),
                   inQuotes(field.datatype));
        field.type = known->second;
        field.complex = field.datatype.ends_with("Complex");
        const std::string size = node.attribute("arraysize").value();
        if (!field.datatype.empty() && !readArraySize(size, field))
            refuse(path_, "an arraysize in FIELD " + inQuotes(column.name), inQuotes(size));
        if (field.complex) column.width *= 2;
        if (field.type == Type::Integer)
            column.null = parseInteger(childNamed(node, "VALUES").attribute("null").value());
        return field;
    }

    void readFields(const xml_node& table) {
        std::vector<std::string> names;
        for (const xml_node child : table.children())
            if (localName(child) == "FIELD") {
                fields_.push_back(fieldOf(child));
                names.push_back(fields_.back().column.name);
            }
        if (fields_.empty()) refuse(path_, "a TABLE with FIELDs", "none");
        const bool leaveOut = options_.columns.empty() &&
                              options_.variableLength == TableReadOptions::VariableLength::LeaveOut;
        std::vector<bool> wanted(fields_.size());
        for (const int index : chosenColumns(path_, names, options_))
            wanted[static_cast<size_t>(index)] = true;
        for (size_t i = 0; i < fields_.size(); ++i) {
            FieldSpec& field = fields_[i];
            if (field.variable && wanted[i] && !leaveOut)
                refuse(path_, "columns with the same number of values in every row",
                       "column " + inQuotes(field.column.name) + " of variable length");
            field.leftOut = field.variable;
            field.isWanted = wanted[i];
            if (field.variable && leaveOut) leftOut_.push_back(field.column.name);
            builders_.emplace_back(field.column, field.type);
        }
    }

    void readData(const xml_node& table, JobContext& job) {
        const xml_node data = childNamed(table, "DATA");
        for (const xml_node child : data.children()) {
            const std::string_view name = localName(child);
            if (name == "TABLEDATA") return readTableData(child, job);
            if (name == "BINARY" || name == "BINARY2")
                return readBinary(childNamed(child, "STREAM"), name == "BINARY2", job);
            if (name == "FITS")
                refuse(path_, "a VOTable with its data as TABLEDATA, BINARY or BINARY2",
                       "data as FITS");
        }
    }

    void readTableData(const xml_node& data, JobContext& job) {
        // An empty element, or one in a text that stayed whole, holds no number.
        const auto number = rows_.tables.empty() ? std::nullopt : parseInteger(textOf(data));
        if (!number || *number < 0 || *number >= std::ssize(rows_.tables))
            return readRows(data, job);
        const auto& pieces = rows_.tables[static_cast<size_t>(*number)];
        for (const XmlPiece& piece : pieces) {
            pugi::xml_document rows;
            const auto parsed =
                rows.load_buffer_inplace(text_.data() + piece.begin, piece.end - piece.begin,
                                         kParsing | pugi::parse_fragment, pugi::encoding_utf8);
            if (!parsed) refuseXml(parsed, piece.begin + static_cast<size_t>(parsed.offset));
            readRows(rows, job);
            job.report(
                static_cast<double>(&piece - pieces.data()) / static_cast<double>(pieces.size()),
                "reading");
        }
    }

    void readRows(const xml_node& parent, JobContext& job) {
        for (const xml_node row : parent.children()) {
            if (localName(row) != "TR") continue;
            if ((++count_ & 0xfff) == 0) job.poll();
            size_t column = 0;
            for (const xml_node cell : row.children()) {
                if (cell.type() != pugi::node_element) continue;
                if (localName(cell) != "TD")
                    refuse(path_, "TD elements in row " + std::to_string(count_),
                           inQuotes(localName(cell)));
                if (column < fields_.size()) addCell(column, cell);
                ++column;
            }
            if (column != fields_.size())
                refuse(path_, std::to_string(fields_.size()) + " cells (FIELD) in each row",
                       std::to_string(column) + " in row " + std::to_string(count_));
        }
    }

    void addCell(size_t index, const xml_node& cell) {
        FieldSpec& field = fields_[index];
        ColumnBuilder& builder = builders_[index];
        if (field.leftOut || !field.isWanted) return;
        const std::string text = textOf(cell);
        const int64_t width = field.column.width;
        // A short cell may stand for many missing values.
        if (width > 1) builder.growFor(path_);
        try {
            if (width == 1) return builder.addCell(text);
            if (field.type == Type::Text) return addTexts(builder, text, field.letters, width);
            addArray(builder, text, field, width);
        } catch (Error& error) {
            error.addContext(path_ + ": row " + std::to_string(count_));
            throw;
        }
    }

    static void addTexts(ColumnBuilder& builder, const std::string& text, int64_t letters,
                         int64_t width) {
        for (int64_t k = 0; k < width; ++k) {
            const auto begin = std::min(static_cast<size_t>(k * letters), text.size());
            std::string part = text.substr(begin, static_cast<size_t>(letters));
            while (!part.empty() && (part.back() == ' ' || part.back() == '\0')) part.pop_back();
            builder.addText(std::move(part));
        }
    }

    static void addArray(ColumnBuilder& builder, const std::string& text, const FieldSpec& field,
                         int64_t width) {
        int64_t count = 0;
        constexpr std::string_view kBlanks = " \t\r\n";
        for (size_t at = 0; (at = text.find_first_not_of(kBlanks, at)) != std::string::npos;) {
            size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
            if (field.datatype == "bit") end = at + 1;  // "0110" as well as "0 1 1 0"
            if (++count <= width) builder.addCell(std::string_view(text).substr(at, end - at));
            at = end;
        }
        if (count == 0)
            for (; count < width; ++count) builder.addMissing();
        if (count != width)
            throw IoError("expected " + std::to_string(width) + " values in column " +
                          inQuotes(field.column.name) + ", found " + std::to_string(count));
    }

    void readBinary(const xml_node& stream, bool flags, JobContext& job);

    Table finish(const xml_node& node) {
        Table table;
        table.name = node.attribute("name").value();
        table.leftOut = std::move(leftOut_);
        std::vector<const FieldSpec*> sources;  // the FIELD of each column
        for (size_t i = 0; i < fields_.size(); ++i) {
            if (fields_[i].leftOut) continue;
            TableColumn column = builders_[i].finish();
            if (fields_[i].datatype.empty()) column = guessed(std::move(column));
            if (const xml_node* system = systemOf(fields_[i]); system && isEquatorial(*system))
                column.equatorial = equatorial(*system);
            table.columns.push_back(std::move(column));
            sources.push_back(&fields_[i]);
        }
        if (const xml_node* only = system(table, sources)) {
            const std::string word = only->attribute("system").value();
            const bool fits = !namesEquatorial(table) || isEquatorial(*only);
            table.frame = fits ? frameFromText(word) : Frame::Unknown;
            if (fits) table.equatorial = equatorial(*only);
            if (!fits) setUnknownSystem(table, word);
        }
        for (const xml_node info : node.parent().children())
            if (localName(info) == "INFO" &&
                std::string_view(info.attribute("name").value()) == "HISTORY")
                table.history.emplace_back(info.attribute("value").value());
        keepChosen(table, path_, options_);
        return table;
    }

    static TableColumn guessed(TableColumn column) {
        TableColumn typed = columnFromTexts(
            column.name, column.unit, std::move(std::get<std::vector<std::string>>(column.values)));
        typed.ucd = column.ucd;
        typed.description = column.description;
        return typed;
    }

    const xml_node* systemOf(const FieldSpec& field) const {
        for (const xml_node& system : systems_)
            if (!field.system.empty() && field.system == system.attribute("ID").value())
                return &system;
        return nullptr;
    }
    static std::optional<PositionColumns> positionsOf(const Table& table) {
        const auto found = findPositions(table);
        return found ? found : findTextPositions(table);
    }
    // Whether UCDs or names of the positions mean right ascension and declination.
    static bool namesEquatorial(const Table& table) {
        const auto positions = positionsOf(table);
        return positions && positions->frame == Frame::Equatorial;
    }
    // Whether right ascensions may be in this system. Without a name, the default of VOTable 1.1
    // applies, which is eq_FK5.
    static bool isEquatorial(const xml_node& system) {
        const std::string_view word = system.attribute("system").value();
        return word.empty() || equatorialFrameOf(word, std::nullopt) ||
               frameFromText(word) == Frame::Equatorial;
    }
    // The COOSYS that the longitudes reference, otherwise the first one that fits right ascensions,
    // otherwise one that is referenced, or the first one of the file. `table` has no frame yet.
    const xml_node* system(const Table& table, const std::vector<const FieldSpec*>& sources) const {
        if (const auto positions = positionsOf(table))
            if (const auto* own = systemOf(*sources[static_cast<size_t>(positions->lon)]))
                return own;
        std::vector<const xml_node*> all;
        for (const FieldSpec& field : fields_)
            if (const xml_node* found = systemOf(field)) all.push_back(found);
        const bool isReferenced = !all.empty();
        if (!namesEquatorial(table))
            return isReferenced ? all.front() : systems_.empty() ? nullptr : &systems_.front();
        for (const xml_node& each : systems_) all.push_back(&each);
        for (const xml_node* each : all)
            if (isEquatorial(*each)) return each;
        // Other columns reference their systems, and right ascensions reference none.
        return isReferenced || systems_.empty() ? nullptr : &systems_.front();
    }
    static std::optional<EquatorialFrame> equatorial(const xml_node& system) {
        std::string word = system.attribute("system").value();
        if (word.starts_with("ecl_")) word.erase(0, 4);  // another equinox is refused elsewhere
        auto frame = equatorialFrameOf(word, equinoxYear(system.attribute("equinox").value()));
        const std::string_view epoch = system.attribute("epoch").value();
        if (word.empty() || !frame) return std::nullopt;
        if (const auto year = equinoxYear(epoch))
            frame->observed = epoch.starts_with('B') ? julianYearOfBesselian(*year) : *year;
        return frame;
    }

    std::string path_;
    const TableReadOptions& options_;
    std::string text_;
    XmlRows rows_;
    pugi::xml_document document_;
    std::vector<xml_node> tables_, systems_;
    std::vector<FieldSpec> fields_;
    std::vector<ColumnBuilder> builders_;
    std::vector<std::string> leftOut_;
    int64_t count_ = 0;  // rows so far
};

// Reads values from a stream of big-endian bytes; throws at a premature end.
class BinaryCursor {
public:
    explicit BinaryCursor(std::string_view bytes) : bytes_(bytes) {}
    bool atEnd() const { return bytes_.empty(); }
    size_t left() const { return bytes_.size(); }
    std::string_view take(int64_t count) {
        if (count < 0 || count > static_cast<int64_t>(bytes_.size()))
            throw IoError("expected " + std::to_string(count) +
                          " more bytes in the STREAM, found " + std::to_string(bytes_.size()));
        const std::string_view taken = bytes_.substr(0, static_cast<size_t>(count));
        bytes_.remove_prefix(taken.size());
        return taken;
    }
    template <class Word>
    Word word() {
        Word value = 0;
        for (const char c : take(sizeof(Word)))
            value = static_cast<Word>(value << 8 | static_cast<unsigned char>(c));
        return value;
    }

private:
    std::string_view bytes_;
};

int64_t bytesOf(const std::string& datatype) {
    if (datatype == "short" || datatype == "unicodeChar") return 2;
    if (datatype == "int" || datatype == "float") return 4;
    if (datatype == "long" || datatype == "double" || datatype == "floatComplex") return 8;
    return datatype == "doubleComplex" ? 16 : 1;
}

std::string utf8Of(std::string_view ucs2) {
    std::string text;
    for (size_t i = 0; i + 1 < ucs2.size(); i += 2) {
        const auto code = static_cast<uint32_t>(static_cast<unsigned char>(ucs2[i]) << 8 |
                                                static_cast<unsigned char>(ucs2[i + 1]));
        if (code == 0) break;
        appendUtf8(text, code);
    }
    return text;
}

void addBinaryNumber(ColumnBuilder& builder, const std::string& datatype, BinaryCursor& cursor) {
    if (datatype == "unsignedByte") return builder.addInteger(cursor.word<uint8_t>());
    if (datatype == "short")
        return builder.addInteger(static_cast<int16_t>(cursor.word<uint16_t>()));
    if (datatype == "int") return builder.addInteger(static_cast<int32_t>(cursor.word<uint32_t>()));
    if (datatype == "long")
        return builder.addInteger(static_cast<int64_t>(cursor.word<uint64_t>()));
    if (datatype.starts_with("float"))
        return builder.addNumber(std::bit_cast<float>(cursor.word<uint32_t>()));
    builder.addNumber(std::bit_cast<double>(cursor.word<uint64_t>()));
}

void addBinaryTexts(ColumnBuilder& builder, const FieldSpec& field, BinaryCursor& cursor,
                    bool null) {
    const bool wide = field.datatype == "unicodeChar";
    // One letter without arraysize; a preceding count if variable.
    int64_t letters = field.letters == 0 ? 1 : field.letters;
    if (letters < 0) letters = cursor.word<uint32_t>();
    for (int64_t k = 0; k < field.column.width; ++k) {
        const std::string_view raw = cursor.take(letters * (wide ? 2 : 1));
        std::string text = wide ? utf8Of(raw) : std::string(raw.substr(0, raw.find('\0')));
        while (!text.empty() && text.back() == ' ') text.pop_back();
        builder.addText(null ? std::string() : std::move(text));
    }
}

void addBinaryField(ColumnBuilder& builder, const FieldSpec& field, BinaryCursor& cursor,
                    bool null) {
    if (field.variable) {  // only left-out fields
        int64_t count = cursor.word<uint32_t>();
        if (field.datatype == "bit") count = (count + 7) / 8;
        cursor.take(count * bytesOf(field.datatype));
        return;
    }
    if (field.type == Type::Text) return addBinaryTexts(builder, field, cursor, null);
    const int64_t width = field.column.width;
    if (field.datatype == "bit") {
        const std::string_view bytes = cursor.take((width + 7) / 8);
        for (int64_t k = 0; k < width; ++k)
            builder.addInteger(
                static_cast<unsigned char>(bytes[static_cast<size_t>(k / 8)]) >> (7 - k % 8) & 1);
        return;
    }
    for (int64_t k = 0; k < width; ++k) {
        if (field.datatype == "boolean") {
            const char c = cursor.take(1)[0];
            if (c == 'T' || c == 't' || c == '1')
                builder.addInteger(1);
            else if (c == 'F' || c == 'f' || c == '0')
                builder.addInteger(0);
            else
                builder.addMissing();
        } else if (null) {
            cursor.take(bytesOf(field.datatype) / (field.complex ? 2 : 1));
            builder.addMissing();
        } else {
            addBinaryNumber(builder, field.datatype, cursor);
        }
    }
}

void VoTableReader::readBinary(const xml_node& stream, bool flags, JobContext& job) {
    if (!stream || stream.attribute("href"))
        refuse(path_, "data in the STREAM of the VOTable itself", "none there");
    const std::string_view encoding = stream.attribute("encoding").value();
    if (!encoding.empty() && encoding != "base64")
        refuse(path_, "a STREAM in base64", inQuotes(encoding));
    for (const FieldSpec& field : fields_)
        if (field.datatype.empty())
            refuse(path_, "a datatype for every FIELD of binary data", "none");
    const auto bytes = fromBase64(textOf(stream));
    if (!bytes) refuse(path_, "a STREAM in base64", "other characters");
    BinaryCursor cursor(*bytes);
    try {
        while (!cursor.atEnd()) {
            if ((++count_ & 0xfff) == 0) job.poll();
            std::string_view nulls;
            const size_t before = cursor.left();
            if (flags) nulls = cursor.take((static_cast<int64_t>(fields_.size()) + 7) / 8);
            for (size_t i = 0; i < fields_.size(); ++i) {
                const bool null =
                    flags && (static_cast<unsigned char>(nulls[i / 8]) >> (7 - i % 8) & 1) != 0;
                addBinaryField(builders_[i], fields_[i], cursor, null);
            }
            if (cursor.left() == before) refuse(path_, "rows of at least one byte", "empty rows");
        }
    } catch (Error& error) {
        error.addContext(path_ + ": row " + std::to_string(count_));
        throw;
    }
}

}  // namespace

Table readVoTable(const std::string& path, const TableReadOptions& options, JobContext& job) {
    return VoTableReader(path, options).read(job);
}

void takeVoTableHeader(const std::string& path, const std::string& xml, Table& table) {
    TableReadOptions options;
    options.variableLength = TableReadOptions::VariableLength::LeaveOut;
    Table outline = VoTableReader(path, options).readOutline(xml);
    table.name = std::move(outline.name);
    table.frame = outline.frame;
    table.equatorial = outline.equatorial;
    setUnknownSystem(table, unknownSystem(outline));
    table.history = std::move(outline.history);
    for (TableColumn& column : table.columns)
        for (TableColumn& described : outline.columns) {
            if (described.name != column.name) continue;
            if (!described.unit.empty()) column.unit = described.unit;
            column.ucd = described.ucd;
            column.description = described.description;
            column.equatorial = described.equatorial;
        }
}

}  // namespace armilla
