// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of every operation, from the first input read to the last byte written: the fraction
// never falls and stays within [0, 1].
#include <QTest>
#include <cmath>
#include <set>

#include "armilla/core/units.h"
#include "armilla/io/image_file.h"
#include "armilla/io/table_io.h"
#include "support/block_bench.h"
#include "support/car_image.h"

using namespace armilla;

namespace {

using armilla::test::carImage;
using Strategy = BlockBench::Strategy;
using Pairs = BlockBench::Pairs;

// A run of an operation: its options "name=value", and its files "slot=file".
struct Case {
    const char* id;
    const char* name;
    std::vector<std::string> options, files;
    std::string out = "out.fits";
    GivenSlots wanted = {};
    Strategy strategy = Strategy::InMemory;
};

Pairs pairsOf(const std::vector<std::string>& texts) {
    Pairs pairs;
    for (const std::string& text : texts) {
        const size_t equals = text.find('=');
        pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return pairs;
}

// Maps of nside 128 have three grains of pixels, so that most loops report more than once.
std::vector<Case> cases() {
    const std::string map = "MAP=sky.fits", polarized = "MAP=polarized.fits";
    const auto blocks = Strategy::ByBlocks;
    return {
        {"sample", "microwave", {"nside=128"}, {}},
        {"sample", "sources", {"nside=128", "kind=sources"}, {}, "out.fits", {"catalog"}},
        {"sample", "radio", {"nside=128", "kind=radio"}, {}, "out.fits", {"samples"}},
        {"sample", "probability", {"nside=128", "kind=probability"}, {}},
        {"convert", "ordering", {"ordering=nested"}, {map}},
        {"convert", "coarser", {"nside=32"}, {map}},
        {"convert", "finer", {"nside=256"}, {map}},
        {"convert", "frame", {"frame=C"}, {map}},
        {"convert", "frame of polarization", {"frame=C"}, {polarized}},
        {"convert", "harmonic", {"frame=C", "method=harmonic", "lmax=32"}, {polarized}},
        {"convert", "dipole", {"remove=dipole"}, {map}},
        {"convert",
         "harmonic mask",
         {"nside=8", "method=harmonic", "weights=pixel", "iterations=1"},
         {"MAP=coarse.fits"}},
        {"convert", "mask", {"remove=monopole"}, {map, "mask=mask.fits"}},
        {"convert", "unit", {"unit=uK_RJ", "frequency=100GHz"}, {map}},
        {"convert", "image", {"nside=32"}, {"MAP=image.fits"}},
        {"convert", "sparse", {"sparse=true", "ordering=nested"}, {"MAP=mask.fits"}},
        {"convert", "HealSparse", {}, {map}, "out.hsp"},
        {"convert", "by blocks", {"ordering=nested"}, {"MAP=large.fits"}, "out.fits", {}, blocks},
        {"project", "view", {"size=600x300"}, {map}},
        {"project", "polarization", {"size=600x300", "frame=C"}, {polarized}},
        {"project", "like", {"like=image.fits"}, {map}},
        {"map2alm", "one map", {"lmax=32"}, {map}, "alm.fits"},
        {"map2alm", "iterations", {"lmax=32", "iterations=2"}, {map}},
        {"map2alm", "least squares", {"lmax=16", "tolerance=1e-4"}, {map}},
        {"map2alm", "pixel weights", {"weights=pixel"}, {"MAP=coarse.fits"}},
        {"map2alm", "polarization", {"lmax=32", "polarization=true"}, {polarized}, "teb.fits"},
        {"map2alm", "image", {"lmax=8"}, {"MAP=image.fits"}},
        {"alm2map", "one map", {"nside=64"}, {"ALM=alm.fits"}},
        {"alm2map", "polarization", {"nside=64", "frame=C"}, {"ALM=teb.fits"}},
        {"alm2map", "derivatives", {"nside=64", "derivatives=2"}, {"ALM=alm.fits"}},
        {"alm2map", "image", {"like=image.fits"}, {"ALM=alm.fits"}},
        {"alm", "frame", {"frame=C"}, {"ALM=teb.fits"}},
        {"alm", "beam", {"fwhm=1deg"}, {"ALM=alm.fits"}},
        {"anafast", "auto", {"lmax=32"}, {map}, "cl.fits"},
        {"anafast", "cross", {"lmax=32"}, {map, "MAP2=mask.fits"}},
        {"anafast", "coefficients", {"lmax=32"}, {"MAP=alm.fits"}},
        {"anafast", "iterations", {"lmax=32", "iterations=2", "polarization=true"}, {polarized}},
        {"anafast", "nested", {"lmax=32"}, {"MAP=nested.fits", "mask=mask.fits"}},
        {"anafast", "mask", {"lmax=32", "iterations=1"}, {map, "mask=mask.fits"}},
        {"anafast",
         "decoupled",
         {"lmax=32", "decouple=true", "bins=4", "errors=gaussian"},
         {map, "mask=smooth-mask.fits"}},
        {"anafast",
         "purified",
         {"lmax=32", "decouple=true", "bins=8", "polarization=true", "purify=both"},
         {polarized, "mask=smooth-mask.fits"}},
        {"anafast",
         "masked cross",
         {"lmax=32", "decouple=true", "bins=8", "iterations=1"},
         {map, "MAP2=sky.fits", "mask=smooth-mask.fits"}},
        {"anafast",
         "errors of a cross spectrum",
         {"lmax=160", "decouple=true", "bins=2", "errors=gaussian", "polarization=true"},
         {polarized, "MAP2=polarized.fits", "mask=smooth-mask.fits"}},
        {"anafast",
         "pixel weights under a mask",
         {"weights=pixel"},
         {"MAP=coarse.fits", "mask=coarse-mask.fits"}},
        {"anafast",
         "map of noise",
         {"lmax=32", "bins=4", "decouple=true", "noise=other.fits"},
         {map, "mask=mask.fits"}},
        {"anafast",
         "map of noise in another frame",
         {"lmax=32", "bins=4", "decouple=true", "noise=equatorial.fits"},
         {map, "mask=mask.fits"}},
        {"anafast",
         "spectrum of noise",
         {"lmax=32", "bins=4", "decouple=true", "noise=cl.txt"},
         {map, "mask=mask.fits"}},
        {"anafast", "image", {"lmax=8"}, {"MAP=image.fits"}},
        {"anafast", "masked image", {"lmax=8", "bins=3"}, {"MAP=image.fits"}},
        {"synfast", "one", {"nside=64"}, {"CL=cl.fits"}},
        {"synfast", "several", {"nside=64", "skies=3"}, {"CL=cl.fits"}, "out.fits"},
        {"smooth", "harmonic", {"fwhm=2deg", "method=harmonic", "iterations=1"}, {map}},
        {"smooth", "pixel weights", {"fwhm=2deg", "weights=pixel"}, {"MAP=coarse.fits"}},
        {"smooth", "direct", {"fwhm=2deg", "method=direct"}, {map}},
        {"smooth", "ring", {"fwhm=2deg", "method=ring"}, {map}},
        {"smooth", "normalized", {"fwhm=2deg", "masked=normalize"}, {"MAP=mask.fits"}},
        {"smooth", "polarization", {"fwhm=2deg", "polarization=true"}, {polarized}},
        {"smooth", "image", {"fwhm=20deg"}, {"MAP=image.fits"}},
        {"filter", "matched", {"fwhm=1deg"}, {map}, "out.fits", {"snr"}},
        {"filter", "nested", {"fwhm=1deg"}, {"MAP=nested.fits", "mask=mask.fits"}},
        {"filter", "hat", {"fwhm=1deg", "type=mexican-hat"}, {map}},
        {"filter", "masked", {"fwhm=1deg"}, {map, "mask=mask.fits"}},
        {"filter", "several", {"fwhm=1deg", "fwhm2=1deg", "response2=1"}, {map, "map2=other.fits"}},
        {"filter", "plane", {"fwhm=0.2deg"}, {"MAP=plane.fits"}},
        {"sources", "fitted", {"fwhm=1deg"}, {"MAP=other.fits"}, "sources.fits"},
        {"sources", "Gaussian", {"fwhm=1deg", "fit=gaussian"}, {"MAP=other.fits"}},
        {"sources",
         "injected",
         {"fwhm=1deg", "inject=20"},
         {"MAP=other.fits"},
         "out.fits",
         {"curves"}},
        {"sources", "rest", {"fwhm=1deg"}, {"MAP=other.fits"}, "out.fits", {"residual", "snr"}},
        {"sources",
         "several",
         {"fwhm=1deg", "fwhm2=1deg", "response2=1"},
         {map, "map2=other.fits"}},
        {"sources", "plane", {"fwhm=0.2deg", "inject=50"}, {"MAP=plane.fits"}},
        {"match", "two", {"radius=2deg"}, {"CATALOG=points.fits", "CATALOG2=sources.fits"}},
        {"remove", "subtract", {"fwhm=1deg"}, {map, "CATALOG=sources.fits"}},
        {"remove", "fill", {"how=inpaint", "fwhm=1deg"}, {map, "CATALOG=sources.fits"}},
        {"stats", "whole sky", {}, {map}},
        {"stats",
         "regions",
         {"region=circle(10,20,8); circle(80,-20,30)", "step=1deg"},
         {map},
         "out.fits",
         {"histogram", "profile"}},
        {"stats", "coverage", {}, {map, "moc=moc.fits"}},
        {"stats", "image", {}, {"MAP=image.fits"}},
        {"stats", "by blocks", {}, {"MAP=large.fits"}, "out.fits", {"histogram"}, blocks},
        {"mask", "values", {"above=0", "shrink=2deg", "grow=1deg", "apodize=3deg"}, {map}},
        {"mask", "holes", {"above=0", "fill-holes=1deg2"}, {map}},
        {"mask", "catalog", {"nside=128", "radius=2deg"}, {"catalog=points.fits"}},
        {"mask", "credible", {"credible=0.9"}, {"MAP=probability.fits"}},
        {"mask", "image", {"above=0", "grow=20deg"}, {"MAP=image.fits"}},
        {"moc", "mask", {}, {"MOC=mask.fits"}, "moc.fits"},
        {"moc", "credible", {"credible=0.9"}, {"MOC=probability.fits"}},
        {"moc", "catalog", {"order=6"}, {"MOC=points.fits"}},
        {"correlate",
         "random points",
         {"bins=1deg,20deg,5", "random-factor=4", "errors=jackknife", "patches=6"},
         {"DATA=points.fits", "random-from=mask.fits"}},
        {"correlate",
         "pair mean",
         {"bins=1deg,20deg,5", "pair-mean=true", "random-sets=2"},
         {"DATA=points.fits", "random-from=mask.fits"}},
        {"correlate",
         "cross",
         {"bins=1deg,20deg,5"},
         {"DATA=points.fits", "cross=sources.fits", "random-from=mask.fits"}},
        {"correlate-maps", "spectrum", {"bins=1deg,20deg,5"}, {map}},
        {"correlate-maps",
         "pairs",
         {"bins=1deg,20deg,5", "method=pairs"},
         {"MAP=coarse.fits", "mask=coarse-mask.fits"}},
        {"calc", "two", {"expression=A - 2 * B"}, {"let=A=sky.fits", "let=B=other.fits"}},
        {"calc",
         "matched",
         {"expression=A - 2 * B", "match=true"},
         {"let=A=sky.fits", "let=B=coarse.fits"}},
        {"calc",
         "by blocks",
         {"expression=A - 2 * A"},
         {"let=A=large.fits"},
         "out.fits",
         {},
         blocks},
        {"lookup", "nearest", {}, {map, "CATALOG=points.fits"}},
        {"lookup", "credible", {}, {"MAP=probability.fits", "CATALOG=points.fits"}},
        {"lookup",
         "by blocks",
         {},
         {"MAP=large.fits", "CATALOG=points.fits"},
         "out.fits",
         {},
         blocks},
        {"select", "mask", {"where=GLAT > 0"}, {"CATALOG=points.fits", "inside=mask.fits"}},
        {"select", "credible", {"level=0.9"}, {"CATALOG=points.fits", "credible=probability.fits"}},
        {"select", "by blocks", {"where=GLAT > 0"}, {"CATALOG=points.fits"}, "o.fits", {}, blocks},
        {"count", "rows", {"nside=128"}, {"CATALOG=points.fits"}},
        {"count", "by blocks", {"nside=128"}, {"CATALOG=points.fits"}, "out.fits", {}, blocks},
        {"grid", "map", {"nside=32", "kernel-fwhm=2deg"}, {"SAMPLES=points.fits"}},
        {"grid",
         "sparse",
         {"nside=64", "kernel-fwhm=2deg", "sparse=true"},
         {"SAMPLES=points.fits"}},
        {"grid",
         "image",
         {"center=10deg,20deg", "size=300x300", "resolution=1arcmin", "kernel-fwhm=2deg"},
         {"SAMPLES=points.fits", "SAMPLES=points.fits"}},
    };
}

}  // namespace

class tst_progress : public QObject {
    Q_OBJECT

    BlockBench bench_;
    JobContext job_;

    // 5000 rows, evenly over the sky.
    void writePoints() {
        constexpr int kRows = 5000;
        const std::pair<const char*, const char*> names[] = {
            {"GLON", "deg"}, {"GLAT", "deg"}, {"FLUX", "Jy"}};
        std::vector<double> values[3];
        for (int i = 0; i < kRows; ++i) {
            values[0].push_back(std::fmod(i * 137.508, 360.0));
            values[1].push_back(std::asin(-1.0 + (i + 0.5) / (0.5 * kRows)) / kDegree);
            values[2].push_back(1.0 + i % 17);
        }
        Table table;
        table.frame = Frame::Galactic;
        for (size_t i = 0; i < 3; ++i) {
            TableColumn& column = table.columns.emplace_back();
            column.name = names[i].first;
            column.unit = names[i].second;
            column.values = values[i];
        }
        writeTable(table, bench_.path("points.fits"), {true, {}}, job_);
    }
    void run(const Case& each, const ProgressFunction& progress) {
        Pairs files = pairsOf(each.files), options = pairsOf(each.options);
        for (auto& [slot, file] : files)
            file =
                slot == "let" ? file.substr(0, 2) + bench_.path(file.substr(2)) : bench_.path(file);
        for (auto& [name, text] : options)
            if (name == "like" || name == "noise") text = bench_.path(text);
        bench_.run(each.id, options, files, each.out,
                   {each.strategy,
                    [&](BlockCall& call) {
                        if (each.strategy != Strategy::ByBlocks) return;
                        call.memory = 0;
                        call.blockPixels = 50000;
                        call.catalogBytes = 0;
                        call.blockRows = 1000;
                    },
                    each.wanted, progress});
    }

private slots:
    void initTestCase() {
        const auto make = [&](const Case& each) { run(each, {}); };
        QFile spectrum(QString::fromStdString(bench_.path("cl.txt")));
        QVERIFY(spectrum.open(QIODevice::WriteOnly));
        spectrum.write("# L TT EE BB TE\n");
        for (int l = 0; l <= 64; ++l)
            spectrum.write(QByteArray::number(l) + (l < 2 ? " 0 0 0 0\n" : " 4 2 1 1\n"));
        spectrum.close();
        writePoints();
        writeImage(carImage(true, false, 1), bench_.path("image.fits"), {}, job_);
        make({"sample", "", {"nside=128"}, {}, "sky.fits"});
        make({"sample", "", {"nside=128", "kind=sources"}, {}, "other.fits"});
        make({"sample", "", {"nside=128", "kind=probability"}, {}, "probability.fits"});
        make({"synfast", "", {"nside=128", "frame=G"}, {"CL=cl.txt"}, "polarized.fits"});
        make({"convert", "", {"nside=16"}, {"MAP=sky.fits"}, "coarse.fits"});
        make({"convert", "", {"frame=C"}, {"MAP=sky.fits"}, "equatorial.fits"});
        make({"convert", "", {"ordering=nested"}, {"MAP=sky.fits"}, "nested.fits"});
        make({"convert", "", {"nside=512"}, {"MAP=coarse.fits"}, "large.fits"});
        make({"mask", "", {"nside=128", "latitude=30deg"}, {}, "mask.fits"});
        make({"mask", "", {"nside=16", "latitude=30deg"}, {}, "coarse-mask.fits"});
        make(
            {"mask", "", {"latitude=30deg", "nside=128", "apodize=15deg"}, {}, "smooth-mask.fits"});
        make({"moc", "", {}, {"MOC=mask.fits"}, "moc.fits"});
        make({"sources", "", {"fwhm=1deg"}, {"MAP=other.fits"}, "sources.fits"});
        make({"map2alm", "", {"lmax=32"}, {"MAP=sky.fits"}, "alm.fits"});
        make({"map2alm", "", {"lmax=32", "polarization=true"}, {"MAP=polarized.fits"}, "teb.fits"});
        make({"project",
              "",
              {"projection=gnomonic", "size=200x150", "resolution=3arcmin"},
              {"MAP=other.fits"},
              "plane.fits"});
    }

    void everyOperationRuns() {
        std::set<std::string_view> ids;
        for (const Case& each : cases()) ids.insert(each.id);
        for (const Operation& operation : allOperations())
            QVERIFY2(ids.contains(operation.id), std::string(operation.id).c_str());
    }

    void neverFalls_data() {
        QTest::addColumn<int>("index");
        int index = 0;
        for (const Case& each : cases()) QTest::addRow("%s: %s", each.id, each.name) << index++;
    }
    void neverFalls() {
        QFETCH(int, index);
        double done = 0.0;
        std::string stage = "the beginning", falls;
        int reports = 0;
        const auto follow = [&](double fraction, std::string_view name) {
            ++reports;
            // Parts that meet at one fraction round differently.
            if (!(fraction >= done - 1e-12 && fraction <= 1.0 + 1e-12))
                falls += "\n" + std::to_string(fraction) + " (" + std::string(name) + ") after " +
                         std::to_string(done) + " (" + stage + ")";
            done = fraction;
            stage = name;
        };
        try {
            run(cases()[static_cast<size_t>(index)], follow);
        } catch (const std::exception& error) {
            QFAIL(error.what());
        }
        QVERIFY2(falls.empty(), falls.c_str());
        QVERIFY(reports > 0);
    }
};

QTEST_GUILESS_MAIN(tst_progress)
#include "tst_progress.moc"
