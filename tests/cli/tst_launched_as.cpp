// SPDX-License-Identifier: GPL-3.0-or-later
// Environment variables of launchers: Open MPI 4.1, MPICH 4.0 and Slurm 22.05.
#include <unistd.h>

#include <QtTest>

#include "cli/launch.h"

using namespace armilla;

namespace {

const QByteArrayList kVariables{"OMPI_COMM_WORLD_RANK",
                                "OMPI_COMM_WORLD_SIZE",
                                "OMPI_COMM_WORLD_LOCAL_SIZE",
                                "OMPI_COMM_WORLD_LOCAL_RANK",
                                "PMI_RANK",
                                "PMI_SIZE",
                                "MPI_LOCALNRANKS",
                                "MPI_LOCALRANKID",
                                "PMIX_RANK",
                                "SLURM_PROCID",
                                "SLURM_LOCALID",
                                "SLURM_NODEID",
                                "SLURM_NTASKS",
                                "SLURM_STEP_NUM_TASKS",
                                "SLURM_STEP_TASKS_PER_NODE",
                                "SLURM_PTY_PORT",
                                "SLURM_TASK_PID"};

}  // namespace

class LaunchedAsTest : public QObject {
    Q_OBJECT
private slots:
    void cleanup() {
        for (const QByteArray& name : kVariables) qunsetenv(name);
    }
    void init() { cleanup(); }

    void says_data() {
        QTest::addColumn<QByteArray>("variables");
        QTest::addColumn<QList<int>>("expected");  // rank, size, on host, rank there, with MPI
        const auto row = [](const char* name, const QByteArray& variables,
                            const QList<int>& expected) {
            QTest::newRow(name) << variables << expected;
        };
        const QList<int> one{0, 1, 1, 0, 1};
        const QByteArray step = "SLURM_STEP_NUM_TASKS=11 SLURM_STEP_TASKS_PER_NODE=4(x2),3 ",
                         sixth = step + "SLURM_PROCID=5 SLURM_NODEID=1 SLURM_LOCALID=1 ";
        row("nothing", "", one);
        row("mpirun",
            "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=6 OMPI_COMM_WORLD_LOCAL_SIZE=3 "
            "OMPI_COMM_WORLD_LOCAL_RANK=2 PMIX_RANK=2",
            {2, 6, 3, 2, 1});
        row("mpiexec of MPICH",
            "PMI_RANK=3 PMI_SIZE=6 MPI_LOCALNRANKS=3 MPI_LOCALRANKID=0 SLURM_LOCALID=0",
            {3, 6, 3, 0, 1});
        row("srun --mpi=pmix", sixth + "PMIX_RANK=5", {5, 11, 4, 1, 1});
        row("on the last of its machines",
            step + "PMIX_RANK=10 SLURM_PROCID=10 SLURM_NODEID=2 SLURM_LOCALID=2",
            {10, 11, 3, 2, 1});
        row("srun --mpi=pmi2", sixth + "PMI_RANK=5 PMI_SIZE=11", {5, 11, 4, 1, 1});
        row("srun without MPI", sixth, {5, 11, 4, 1, 0});
        row("a batch script", "SLURM_PROCID=0 SLURM_LOCALID=0 SLURM_NODEID=0 SLURM_NTASKS=4", one);
        row("srun -n 1", "SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 SLURM_STEP_TASKS_PER_NODE=1", one);
        row("mpirun in a step", sixth + "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2",
            {1, 2, 1, 0, 1});
        // Its daemon on another machine of three is a task of srun.
        row("mpirun -n 1 on another machine",
            "SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1 PMIX_RANK=0 OMPI_COMM_WORLD_RANK=0 "
            "OMPI_COMM_WORLD_SIZE=1",
            one);
        row("in a shell of srun --pty",
            "SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 SLURM_PTY_PORT=40000 SLURM_TASK_PID=1", one);
        row("in such a shell with PMIx",
            "SLURM_STEP_NUM_TASKS=4 PMIX_RANK=0 SLURM_PTY_PORT=40000 SLURM_TASK_PID=1", one);
        row("srun --pty itself",
            "SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 SLURM_PTY_PORT=40000 SLURM_TASK_PID=" +
                QByteArray::number(getpid()),
            {0, 4, 1, 0, 0});
        row("nonsense", "SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=4 PMI_RANK=x PMI_SIZE=3", one);
        row("a list that is none",
            "SLURM_STEP_NUM_TASKS=4 PMIX_RANK=1 SLURM_STEP_TASKS_PER_NODE=four", {1, 4, 1, 0, 1});
    }
    void says() {
        QFETCH(QByteArray, variables);
        QFETCH(QList<int>, expected);
        for (const QByteArray& each : variables.split(' '))
            if (const qsizetype at = each.indexOf('='); at > 0) {
                QVERIFY(kVariables.contains(each.first(at)));
                qputenv(each.first(at).constData(), each.sliced(at + 1));
            }
        const cli::LaunchedAs as = cli::launchedAs();
        QCOMPARE((QList<int>{as.rank, as.size, as.onHost, as.localRank, as.withMpi ? 1 : 0}),
                 expected);
    }
};

QTEST_GUILESS_MAIN(LaunchedAsTest)
#include "tst_launched_as.moc"
