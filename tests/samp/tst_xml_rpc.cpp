// SPDX-License-Identifier: GPL-3.0-or-later
// XML-RPC in the form of SAMP: values in both directions, forms of other programs, and refused
// input.
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/samp/xml_rpc.h"

using namespace armilla;

class XmlRpcTest : public QObject {
    Q_OBJECT

private slots:
    void valuesComeBack() {
        const QVariantMap value{{"text", QString("a < b & \"c\" > ]]> \t\n d'")},
                                {"empty", QString()},
                                {"blank", QString("  ")},
                                {"list", QVariantList{QString("1"), QVariantList(), QVariantMap()}},
                                {"map", QVariantMap{{"a<b", QString("x")}, {"", QString("y")}}}};
        const XmlRpcCall call = callFromXml(toXml(XmlRpcCall{"a.b", {value, QString("z")}}));
        QCOMPARE(call.method, QString("a.b"));
        QCOMPARE(call.parameters, (QVariantList{value, QString("z")}));
        const XmlRpcAnswer answer = answerFromXml(toXml(XmlRpcAnswer{value, std::nullopt}));
        QVERIFY(!answer.fault);
        QCOMPARE(answer.value, SampValue(value));
        const XmlRpcAnswer fault = answerFromXml(toXml(XmlRpcAnswer{{}, QString("no <way>")}));
        QCOMPARE(fault.fault, std::optional(QString("no <way>")));
    }
    // Only ASCII is allowed.
    void otherLettersAreReplaced() {
        const QString text = QStringLiteral("smoothed 60\u2032 \u00B7 \u00B5K \u00E9 \u6F22");
        const XmlRpcCall call = callFromXml(toXml(XmlRpcCall{"m", {text}}));
        QCOMPARE(call.parameters[0].toString(), QString("smoothed 60arcmin - uK e ?"));
    }
    void foreignFormsAreRead() {
        const XmlRpcAnswer answer = answerFromXml(
            "<?xml version='1.0'?>\n<methodResponse>\n <params>\n  <param>\n   <value>\n    "
            "<struct>\n<member><name>a</name><value>plain</value></member>\n"
            "<member>\n <name>b</name>\n <value>\n <i4>-3</i4>\n </value>\n</member>"
            "<member><name>c</name><value><boolean>1</boolean></value></member>"
            "<member><name>d</name><value><string><![CDATA[<x>]]></string></value></member>"
            "</struct></value></param></params></methodResponse>");
        QCOMPARE(answer.value.toMap(), (QVariantMap{{"a", QString("plain")},
                                                    {"b", QString("-3")},
                                                    {"c", QString("1")},
                                                    {"d", QString("<x>")}}));
    }
    void hostileXmlIsRefused_data() {
        QTest::addColumn<QByteArray>("xml");
        const auto call = [](const QByteArray& value) {
            return "<methodCall><methodName>m</methodName><params><param>" + value +
                   "</param></params></methodCall>";
        };
        QByteArray deep, deepMap;
        for (int i = 0; i < 20000; ++i) deep += "<value><array><data>";
        for (int i = 0; i < 20000; ++i) deep += "</data></array></value>";
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("text") << QByteArray("hello");
        QTest::newRow("half") << call("<value><string>x").left(70);
        QTest::newRow("other root") << QByteArray("<methodResponse/>");
        QTest::newRow("no value") << call("<string>x</string>");
        QTest::newRow("base64") << call("<value><base64>AA==</base64></value>");
        QTest::newRow("unnamed member")
            << call("<value><struct><member><value>x</value></member></struct></value>");
        QTest::newRow("member without a value")
            << call("<value><struct><member><name>x</name></member></struct></value>");
        QTest::newRow("list without data") << call("<value><array/></value>");
        QTest::newRow("deep") << call(deep);
        QTest::newRow("zero bytes") << QByteArray(1000, '\0');
    }
    void hostileXmlIsRefused() {
        QFETCH(QByteArray, xml);
        QVERIFY_EXCEPTION_THROWN(callFromXml(xml), InvalidArgument);
    }
    // Custom entities are not expanded, which prevents entity bombs and file access.
    void entitiesStayWhatTheyAre() {
        const QByteArray xml =
            "<!DOCTYPE x [<!ENTITY a \"boom\"><!ENTITY f SYSTEM \"file:///etc/passwd\">]>"
            "<methodCall><methodName>m</methodName><params><param><value>&a;&f;&amp;</value>"
            "</param></params></methodCall>";
        try {
            const XmlRpcCall call = callFromXml(xml);
            QCOMPARE(call.parameters[0].toString(), QString("&a;&f;&"));
        } catch (const InvalidArgument&) {
        }
    }
};

QTEST_GUILESS_MAIN(XmlRpcTest)
#include "tst_xml_rpc.moc"
