// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "armilla/core/ascii_text.h"

using namespace armilla;

namespace {

class AsciiText : public QObject {
    Q_OBJECT
private slots:
    void changesOnlyAsciiLetters();
    void trimsBlanksAndNulsAtBothEnds();
    void comparesInAnyCase();
    void spellsExponents();
};

void AsciiText::changesOnlyAsciiLetters() {
    // The neighbors of the letters in ASCII, and both bytes of a letter beyond it, stay.
    QCOMPARE(lowerCase(std::string_view("@AZ[`az{09")), std::string("@az[`az{09"));
    QCOMPARE(upperCase(std::string_view("@AZ[`az{09")), std::string("@AZ[`AZ{09"));
    QCOMPARE(lowerCase(std::string_view("É µK İ")), std::string("É µk İ"));
    QCOMPARE(upperCase(std::string_view("é µk ı")), std::string("é µK ı"));
    QCOMPARE(lowerCase(std::string_view()), std::string());
    for (int code = 0; code < 256; ++code) {
        const char c = static_cast<char>(code);
        const bool isUpper = code >= 65 && code <= 90, isLower = code >= 97 && code <= 122;
        QCOMPARE(lowerCase(c), isUpper ? static_cast<char>(code + 32) : c);
        QCOMPARE(upperCase(c), isLower ? static_cast<char>(code - 32) : c);
        QCOMPARE(isDigit(c), code >= 48 && code <= 57);
        // Space, tab, line feed, vertical tab, form feed, carriage return. A NUL is none, so that
        // a loop over blanks stops at the end of a C string.
        QCOMPARE(isBlank(c), code == 32 || (code >= 9 && code <= 13));
    }
}

void AsciiText::trimsBlanksAndNulsAtBothEnds() {
    QCOMPARE(trimmed(""), std::string());
    QCOMPARE(trimmed(" \t\r\n\v\f"), std::string());
    QCOMPARE(trimmed(" a b\t"), std::string("a b"));
    QCOMPARE(trimmed(std::string_view("\0 K\0\0", 5)), std::string("K"));
    QCOMPARE(trimmed(std::string_view("a\0b", 3)), std::string("a\0b", 3));
    // A no-break space (C2 A0) is no blank of ASCII.
    QCOMPARE(trimmed("\xC2\xA0x\xC2\xA0"), std::string("\xC2\xA0x\xC2\xA0"));
    const std::string_view text = "  view ";
    QCOMPARE(trimmedView(text).data(), text.data() + 2);
    QCOMPARE(trimmedView(text).size(), size_t{4});
}

void AsciiText::comparesInAnyCase() {
    QVERIFY(equalInAnyCase("", ""));
    QVERIFY(equalInAnyCase("LsRk", "lSrK"));
    QVERIFY(!equalInAnyCase("LSR", "LSRK"));
    QVERIFY(!equalInAnyCase("[", "{"));
    QVERIFY(startsInAnyCase("Nested", "NEST"));
    QVERIFY(startsInAnyCase("x", ""));
    QVERIFY(!startsInAnyCase("NES", "nest"));
}

void AsciiText::spellsExponents() {
    const AsciiSpelling* two = spellingAt("² rest", kExponentLetters);
    QVERIFY(two != nullptr);
    QCOMPARE(std::string(two->plain), std::string("2"));
    for (const std::string_view other : {"", "2", "\xC2", "µ²", "\xE2\x81"})
        QVERIFY(spellingAt(other, kExponentLetters) == nullptr);
}

}  // namespace

QTEST_APPLESS_MAIN(AsciiText)
#include "tst_ascii_text.moc"
