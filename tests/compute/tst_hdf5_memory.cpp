// SPDX-License-Identifier: GPL-3.0-or-later
// Maps in HDF5 whose chunks exceed the memory. Not among the tests with sanitizers of memory, which
// need more address space than the limit here.
#include <hdf5.h>

#include <QtTest>

#include "compute/hdf5_writer.h"
#include "compute/map_files.h"
#include "support/less_memory.h"

using namespace armilla;
using namespace armilla::testing;

class tst_hdf5_memory : public MapFileTest {
    Q_OBJECT

private slots:
    // A small map in a chunk of 128 MB, with memory for less.
    void shortMemory() {
        const std::string file = path("chunk.h5");
        {
            Hdf5Writer out(file);
            const hsize_t size = 768, most = H5S_UNLIMITED, chunk = hsize_t{1} << 24;
            const hid_t space = H5Screate_simple(1, &size, &most);
            const hid_t made = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_chunk(made, 1, &chunk);
            H5Pset_deflate(made, 1);
            const hid_t set =
                H5Dcreate2(out.id(), "sky", H5T_IEEE_F64LE, space, H5P_DEFAULT, made, H5P_DEFAULT);
            H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, ramp(768).data());
            H5Dclose(set);
            H5Pclose(made);
            H5Sclose(space);
            out.attribute("sky", "nside", int64_t{8});
        }
        H5garbage_collect();
        QCOMPARE(read(file).field(0).at(7), 7.25);
        H5garbage_collect();
        std::string line;
        {
            const test::LessMemory less(48 << 20);
            line = refusal([&] { read(file); });
        }
        QVERIFY2(line.find("expected memory for the chunks of data set 'sky'") != line.npos,
                 line.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_hdf5_memory)
#include "tst_hdf5_memory.moc"
