// SPDX-License-Identifier: GPL-3.0-or-later
// The subset of XML-RPC that SAMP uses: texts, lists and maps. http://xmlrpc.com/spec.md
#pragma once

#include <QByteArray>
#include <QString>
#include <QVariant>
#include <optional>
#include <stop_token>

namespace armilla {

// A QString, a QVariantList or a QVariantMap of these. Numbers and booleans from other programs are
// read as SAMP texts: "3", "1".
using SampValue = QVariant;

// Nesting limit of lists and maps.
inline constexpr int kDeepestValue = 32;

// A call: the method and its parameters.
struct XmlRpcCall {
    QString method;
    QVariantList parameters;
};
// The response to a call: a value, or a line with the fault.
struct XmlRpcAnswer {
    SampValue value;
    std::optional<QString> fault;
};

// Characters outside the SAMP set (section 3.3: ASCII 0x20 to 0x7F, tab, line ends) are replaced by
// similar ones, or by "?".
QByteArray toXml(const XmlRpcCall& call, const std::stop_token& stop = {});
QByteArray toXml(const XmlRpcAnswer& answer);
// Both throw InvalidArgument for anything else. Parsing (lists may have a million rows) ends with
// Cancelled after a stop request.
XmlRpcCall callFromXml(const QByteArray& xml, const std::stop_token& stop = {});
XmlRpcAnswer answerFromXml(const QByteArray& xml, const std::stop_token& stop = {});

}  // namespace armilla
