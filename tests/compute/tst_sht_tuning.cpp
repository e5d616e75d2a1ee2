// SPDX-License-Identifier: GPL-3.0-or-later
// Stored tuning results, and the conditions of their use.
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/ops/sht.h"
#include "armilla/ops/sht_tuning.h"
#include "support/direct_sht.h"
#include "support/process_variable.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class ShtTuningTest : public QObject {
    Q_OBJECT
    static TuningKey keyOf(const std::string& name) {
        TuningKey key;
        key.device.kind = DeviceKind::Cuda;
        key.device.name = name;
        key.device.driver = "driver 1";
        key.nside = 64;
        key.lmax = key.mmax = 128;
        return key;
    }
    static QByteArray content(const std::string& path) {
        QFile file(QString::fromStdString(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static bool replace(const std::string& path, const QByteArray& bytes) {
        QFile file(QString::fromStdString(path));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    }

private slots:
    void init() {
        cache_ = std::make_unique<QTemporaryDir>();
        QVERIFY(cache_->isValid());
        test::setVariable("XDG_CACHE_HOME", cache_->path().toLocal8Bit());
    }
    void isKept() {
        const TuningKey key = keyOf("a \"card\" \\ name");
        QVERIFY(!keptTuning(key).tuning && keptTuning(key).problem.empty());
        for (const ShtTuning& tuning : shtTunings(DeviceKind::Cuda)) {
            const std::string path = keepTuning(key, tuning);
            QVERIFY(path.starts_with(cache_->path().toStdString()));
            QVERIFY(keptTuning(key).tuning == tuning);
            const QJsonObject json = QJsonDocument::fromJson(content(path)).object();
            QCOMPARE(json["device"].toString().toStdString(), key.device.name);
            QCOMPARE(json["driver"].toString().toStdString(), key.device.driver);
            QCOMPARE(json["nside"].toInt(), 64);
            QCOMPARE(json["lmax"].toInt(), 128);
        }
    }
    void isOfOneDeviceAndSize() {
        const TuningKey key = keyOf("card");
        keepTuning(key, shtTunings(DeviceKind::Cuda).back());
        TuningKey other = key;
        other.device.driver = "driver 2";
        QVERIFY(!keptTuning(other).tuning);
        other = key;
        other.lmax = 127;
        QVERIFY(!keptTuning(other).tuning);
        QVERIFY(!keptTuning(keyOf("other card")).tuning);
    }
    void damagedFilesAreIgnoredAndNamed_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::newRow("empty") << QByteArray() << QByteArray();
        QTest::newRow("another driver") << QByteArray("driver 1") << QByteArray("driver 2");
        QTest::newRow("no such choice") << QByteArray("rings") << QByteArray("nowhere");
        QTest::newRow("torn") << QByteArray("}\n") << QByteArray("");
        QTest::newRow("something behind") << QByteArray("}\n") << QByteArray("}\n}");
    }
    void damagedFilesAreIgnoredAndNamed() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        const TuningKey key = keyOf("card");
        const std::string path = keepTuning(key, {LatitudeSums::AtRings});
        const QByteArray good = content(path);
        QVERIFY(replace(path, from.isEmpty() ? QByteArray() : QByteArray(good).replace(from, to)));
        const KeptTuning kept = keptTuning(key);
        QVERIFY(!kept.tuning);
        QVERIFY(kept.problem.find(path) != std::string::npos);
    }
    void placesThatCannotBeWrittenAreSaid() {
        test::setVariable("XDG_CACHE_HOME", "/proc/no such place");
        QVERIFY_EXCEPTION_THROWN(keepTuning(keyOf("card"), {}), IoError);
    }
    // A plan uses stored values, and reports values that it cannot use; the result is the same
    // within rounding.
    void plansTakeIt() {
        constexpr int nside = 256, lmax = 400;
        const TuningKey key{Device::cpu(), nside, lmax, lmax};
        const ShtParameters parameters{.nside = nside, .lmax = lmax};
        const Alm alm = whiteAlm(lmax, lmax, 0, 1);
        std::vector<double> usual(12 * nside * nside), tuned(usual.size());
        JobContext job({}, {}, 2);
        const auto tuningOf = [&] {
            const ShtPlan plan(parameters, Device::cpu());
            plan.synthesis(alm, tuned, job);
            return plan.parameters().tuning;
        };
        QVERIFY(!tuningOf());
        usual = tuned;
        const std::string path = keepTuning(key, {LatitudeSums::AtRings});
        QVERIFY(tuningOf() == ShtTuning{LatitudeSums::AtRings});
        // Rounding of sums to lmax 400 is 9e-14; the rest of the limit is for the interpolation in
        // latitude.
        ARMILLA_VERIFY_BELOW(relativeError(tuned, usual), 1e-12);
        QVERIFY(tuned != usual);  // the other setting
        QVERIFY(ShtPlan(parameters, Device::cpu()).remark().empty());
        QVERIFY(replace(path, "{}"));
        QVERIFY(!tuningOf());
        QVERIFY(ShtPlan(parameters, Device::cpu()).remark().find(path) != std::string::npos);
    }

private:
    std::unique_ptr<QTemporaryDir> cache_;
};

QTEST_APPLESS_MAIN(ShtTuningTest)
#include "tst_sht_tuning.moc"
