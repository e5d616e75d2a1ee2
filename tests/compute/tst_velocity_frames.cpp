// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of velocities against astropy's.
#include "armilla/core/velocity_frames.h"

#include <QTest>

#include "armilla/core/error.h"

using namespace armilla;

namespace {

struct Row {
    const char* date;
    double ra, dec;
    double ratios[5];  // gcrs, icrs, hcrs, lsrk, lsrd
};
// loc = EarthLocation.from_geodetic(-79.83983*u.deg, 38.43312*u.deg, 824.55*u.m)
// s = SpectralCoord(1*u.Hz, observer=loc.get_itrs(obstime=Time(date)),
//                   target=SkyCoord(ra*u.deg, dec*u.deg, distance=1*u.kpc))
// s.with_observer_stationary_relative_to(frame), astropy 8.0
const Row kRows[] = {
    {"1985-02-03T04:05:06",
     83.6,
     22.0,
     {1.000000586888, 1.000077701341, 1.000077682431, 1.000118332288, 1.000113004758}},
    {"1999-12-31T23:59:59",
     10.7,
     41.3,
     {1.000000149677, 1.000080407562, 1.000080413462, 1.000065731230, 1.000071590157}},
    {"2008-11-15T03:00:00",
     266.4,
     -29,
     {1.000000978392, 1.000055565284, 1.000055581854, 1.000021368888, 1.000025594996}},
    {"2019-04-01T12:34:56",
     30,
     40,
     {0.999999069399, 1.000046750481, 1.000046722988, 1.000046789595, 1.000050071157}},
    {"2023-07-20T22:10:05",
     187.7,
     12.4,
     {1.000000064620, 1.000085332488, 1.000085316670, 1.000071544783, 1.000071316485}},
    {"2045-01-20T10:00:00",
     350,
     -60,
     {0.999999793394, 1.000021606819, 1.000021600978, 1.000045007538, 1.000040967156}}};
constexpr SpectralFrame kFrames[] = {SpectralFrame::Geocentric, SpectralFrame::Barycentric,
                                     SpectralFrame::Heliocentric, SpectralFrame::Lsrk,
                                     SpectralFrame::Lsrd};
const ObservingSite kGreenBank{-79.83983 * kDegree, 38.43312 * kDegree, 824.55};

}  // namespace

class tst_velocity_frames : public QObject {
    Q_OBJECT

private slots:
    void ratios() {
        for (const Row& row : kRows) {
            const double mjd = *mjdOfDate(row.date);
            const Vec3 at = direction({row.ra * kDegree, row.dec * kDegree});
            for (size_t i = 0; i < 5; ++i) {
                const double found = frequencyRatio(kFrames[i], kGreenBank, mjd, at);
                // 0.5 m/s of 3e8, the claim of the header; of the rotation alone 0.05 m/s.
                const double limit = i == 0 ? 2e-10 : 1.7e-9;
                QVERIFY2(std::abs(found - row.ratios[i]) < limit,
                         qPrintable(
                             QString("%1 %2: %3").arg(row.date).arg(i).arg(found - row.ratios[i])));
            }
            QCOMPARE(frequencyRatio(SpectralFrame::Topocentric, kGreenBank, mjd, at), 1.0);
        }
        QVERIFY_EXCEPTION_THROWN(siteVelocity(SpectralFrame::Unknown, kGreenBank, 5e4),
                                 InvalidArgument);
    }
    // Time(date).mjd of astropy.
    void dates() {
        QCOMPARE(mjdOfDate("2000-01-01"), 51544.0);
        QCOMPARE(mjdOfDate("2000-02-29T06:00"), 51603.25);
        QCOMPARE(mjdOfDate("01/04/89"), 47617.0);
        // The reference is printed to 1e-9 days, and one unit in the last place of the date is
        // 7e-12 days.
        QVERIFY(std::abs(*mjdOfDate("2019-04-01T12:34:56.78") - 58574.524268287) < 1e-9);
        for (const char* text : {"", "2019", "2019-13-01", "today", "2019-04"})
            QVERIFY2(!mjdOfDate(text), text);
    }
    void names() {
        for (const SpectralFrameFacts& facts : kSpectralFrames)
            if (facts.frame != SpectralFrame::Unknown) {
                QCOMPARE(spectralFrameNamed(facts.specsys), facts.frame);
                QCOMPARE(spectralFrameNamed(facts.suffix), facts.frame);
                QCOMPARE(spectralFrameNamed(facts.name), facts.frame);
            }
        QCOMPARE(spectralFrameNamed("LSRK    "), SpectralFrame::Lsrk);
        QCOMPARE(spectralFrameNamed("CMBDIPOL"), SpectralFrame::Unknown);
        QCOMPARE(spectralFrameNamed(""), SpectralFrame::Unknown);
    }
};

QTEST_GUILESS_MAIN(tst_velocity_frames)
#include "tst_velocity_frames.moc"
