// SPDX-License-Identifier: GPL-3.0-or-later
// XML-RPC as far as SAMP speaks it: texts, lists and maps. http://xmlrpc.com/spec.md
#pragma once

#include <QByteArray>
#include <QString>
#include <QVariant>
#include <optional>
#include <stop_token>

namespace armilla {

// A QString, a QVariantList or a QVariantMap of such. Numbers and truth values, which others may
// write, are read as the texts of SAMP: "3", "1".
using SampValue = QVariant;

// Lists in lists and maps at most so deep.
inline constexpr int kDeepestValue = 32;

struct XmlRpcCall {
    QString method;
    QVariantList parameters;
};
// The answer to a call: a value, or a line that says why there is none.
struct XmlRpcAnswer {
    SampValue value;
    std::optional<QString> fault;
};

// Characters that SAMP does not know (section 3.3: ASCII 0x20 to 0x7F, tab, line ends) are written
// by those next to them, "?" where there is none.
QByteArray toXml(const XmlRpcCall& call, const std::stop_token& stop = {});
QByteArray toXml(const XmlRpcAnswer& answer);
// Both throw InvalidArgument for anything else. Calls and answers, which may be lists of a million,
// are given up once a stop is requested: Cancelled is thrown.
XmlRpcCall callFromXml(const QByteArray& xml, const std::stop_token& stop = {});
XmlRpcAnswer answerFromXml(const QByteArray& xml, const std::stop_token& stop = {});

}  // namespace armilla
