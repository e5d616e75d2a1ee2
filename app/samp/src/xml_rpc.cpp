// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/samp/xml_rpc.h"

#include <array>
#include <cstring>
#include <pugixml.hpp>
#include <sstream>
#include <string>
#include <utility>

#include "armilla/core/error.h"

namespace armilla {

namespace {

std::string plainText(const QString& text) {
    static constexpr std::array<std::pair<char16_t, const char*>, 9> kNear{{{u'\u2032', "arcmin"},
                                                                            {u'\u2033', "arcsec"},
                                                                            {u'\u00B0', "deg"},
                                                                            {u'\u00B5', "u"},
                                                                            {u'\u03BC', "u"},
                                                                            {u'\u2212', "-"},
                                                                            {u'\u2013', "-"},
                                                                            {u'\u00B7', "-"},
                                                                            {u'\u2026', "..."}}};
    std::string plain;
    for (const QChar c : text.normalized(QString::NormalizationForm_C)) {
        const char16_t code = c.unicode();
        if ((code >= 0x20 && code < 0x80) || code == '\t' || code == '\n' || code == '\r') {
            plain += static_cast<char>(code);
            continue;
        }
        const char* near = nullptr;
        for (const auto& [from, to] : kNear)
            if (from == code) near = to;
        // Letters with diacritics are replaced by the base letter.
        const QString parts = c.decomposition();
        if (!near && !parts.isEmpty() && parts[0] > QChar(0x20) && parts[0] < QChar(0x80))
            plain += parts[0].toLatin1();
        else
            plain += near ? near : "?";
    }
    return plain;
}

void addValue(pugi::xml_node parent, const SampValue& value, const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled();
    pugi::xml_node node = parent.append_child("value");
    if (value.typeId() == QMetaType::QVariantList) {
        pugi::xml_node data = node.append_child("array").append_child("data");
        for (const SampValue& each : value.toList()) addValue(data, each, stop);
    } else if (value.typeId() == QMetaType::QVariantMap) {
        pugi::xml_node all = node.append_child("struct");
        const QVariantMap map = value.toMap();
        for (auto each = map.begin(); each != map.end(); ++each) {
            pugi::xml_node member = all.append_child("member");
            member.append_child("name").text().set(plainText(each.key()).c_str());
            addValue(member, each.value(), stop);
        }
    } else {
        node.append_child("string").text().set(plainText(value.toString()).c_str());
    }
}

QByteArray bytesOf(const pugi::xml_document& document) {
    std::ostringstream out;
    document.save(out, "", pugi::format_raw, pugi::encoding_utf8);
    return QByteArray::fromStdString(out.str());
}

[[noreturn]] void fail(const char* expected, const char* found) {
    throw InvalidArgument(std::string("XML-RPC: expected ") + expected + ", found " +
                          (found && *found ? found : "nothing"));
}

pugi::xml_node childOf(pugi::xml_node node, const char* name) {
    const pugi::xml_node child = node.child(name);
    if (!child) fail(name, node.first_child().name());
    return child;
}

SampValue valueOf(pugi::xml_node node, int depth, const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled();
    if (depth > kDeepestValue) fail("values that are not so deep", "deeper ones");
    pugi::xml_node typed;
    for (pugi::xml_node child : node.children())
        if (child.type() == pugi::node_element) typed = child;
    // A value without a type is a text.
    if (!typed) return QString::fromUtf8(node.text().get());
    const std::string_view type = typed.name();
    if (type == "array") {
        QVariantList list;
        for (pugi::xml_node each : childOf(typed, "data").children("value"))
            list.append(valueOf(each, depth + 1, stop));
        return list;
    }
    if (type == "struct") {
        QVariantMap map;
        for (pugi::xml_node member : typed.children("member"))
            map.insert(QString::fromUtf8(childOf(member, "name").text().get()),
                       valueOf(childOf(member, "value"), depth + 1, stop));
        return map;
    }
    if (type == "string" || type == "int" || type == "i4" || type == "i8" || type == "double" ||
        type == "boolean")
        return QString::fromUtf8(typed.text().get());
    fail("a text, a list or a map", typed.name());
}

void load(pugi::xml_document& document, const QByteArray& xml) {
    // Without document types only the entities of XML itself are possible. Blanks in a text are
    // significant.
    const auto read = document.load_buffer(
        xml.constData(), static_cast<size_t>(xml.size()),
        pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol | pugi::parse_ws_pcdata_single);
    if (!read)
        throw InvalidArgument(std::string("XML-RPC: expected XML, found: ") + read.description());
}

}  // namespace

QByteArray toXml(const XmlRpcCall& call, const std::stop_token& stop) {
    pugi::xml_document document;
    pugi::xml_node node = document.append_child("methodCall");
    node.append_child("methodName").text().set(plainText(call.method).c_str());
    pugi::xml_node all = node.append_child("params");
    for (const SampValue& each : call.parameters) addValue(all.append_child("param"), each, stop);
    return bytesOf(document);
}

QByteArray toXml(const XmlRpcAnswer& answer) {
    pugi::xml_document document;
    pugi::xml_node node = document.append_child("methodResponse");
    if (answer.fault) {
        pugi::xml_node all =
            node.append_child("fault").append_child("value").append_child("struct");
        pugi::xml_node code = all.append_child("member");
        code.append_child("name").text().set("faultCode");
        code.append_child("value").append_child("int").text().set("1");
        pugi::xml_node text = all.append_child("member");
        text.append_child("name").text().set("faultString");
        text.append_child("value").append_child("string").text().set(
            plainText(*answer.fault).c_str());
    } else {
        addValue(node.append_child("params").append_child("param"), answer.value, {});
    }
    return bytesOf(document);
}

XmlRpcCall callFromXml(const QByteArray& xml, const std::stop_token& stop) {
    pugi::xml_document document;
    load(document, xml);
    const pugi::xml_node node = childOf(document.root(), "methodCall");
    XmlRpcCall call{QString::fromUtf8(childOf(node, "methodName").text().get()).trimmed(), {}};
    for (pugi::xml_node each : node.child("params").children("param"))
        call.parameters.append(valueOf(childOf(each, "value"), 0, stop));
    return call;
}

XmlRpcAnswer answerFromXml(const QByteArray& xml, const std::stop_token& stop) {
    pugi::xml_document document;
    load(document, xml);
    const pugi::xml_node node = childOf(document.root(), "methodResponse");
    if (const pugi::xml_node fault = node.child("fault")) {
        const QVariantMap why = valueOf(childOf(fault, "value"), 0, stop).toMap();
        return {{}, why.value(QStringLiteral("faultString")).toString()};
    }
    const pugi::xml_node value = childOf(childOf(node, "params"), "param").child("value");
    return {value ? valueOf(value, 0, stop) : SampValue(QString()), std::nullopt};
}

}  // namespace armilla
