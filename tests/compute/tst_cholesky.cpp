// SPDX-License-Identifier: GPL-3.0-or-later
// Cholesky factors against numpy.linalg.
#include <QtTest>
#include <cmath>
#include <vector>

#include "armilla/core/cholesky.h"

using namespace armilla;

class CholeskyTest : public QObject {
    Q_OBJECT

private slots:
    void factorAndInverse();
    void solutions();
    void refusals();

private:
    // Three variables whose covariance has condition number 17.
    const std::vector<double> covariance_{4.0, 1.2, -0.6, 1.2, 2.5, 0.8, -0.6, 0.8, 0.9};
};

void CholeskyTest::factorAndInverse() {
    std::vector<double> factor = covariance_;
    QVERIFY(factorizeCholesky(factor, 3));
    // numpy.linalg.cholesky(a)[i][j]
    const double expected[3][3] = {{2.0, 0.0, 0.0},
                                   {0.6, 1.4628738838327795, 0.0},
                                   {-0.3, 0.6699142084841698, 0.601011608266453}};
    // Limit: some roundings of numbers near 1.
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j <= i; ++j)
            QVERIFY(std::abs(factor[3 * i + j] - expected[i][j]) < 1e-14);
    // numpy.linalg.inv(a)[i][j]
    const double inverse[3][3] = {{0.5206985769728332, -0.5045278137128072, 0.7956015523932729},
                                  {-0.5045278137128073, 1.0478654592496766, -1.2677878395860285},
                                  {0.795601552393273, -1.2677878395860285, 2.7684346701164295}};
    const std::vector<double> found = inverseFromCholesky(factor, 3);
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j) QVERIFY(std::abs(found[3 * i + j] - inverse[i][j]) < 1e-13);
}

void CholeskyTest::solutions() {
    std::vector<double> factor = covariance_;
    QVERIFY(factorizeCholesky(factor, 3));
    std::vector<double> x{1.0, -2.0, 0.5};
    solveLower(factor, 3, x);
    solveLowerTransposed(factor, 3, x);
    // numpy.linalg.solve(a, [1, -2, 0.5]); the limit is that of the inverse.
    const double expected[3] = {1.927554980595084, -3.234152652005174, 4.715394566623544};
    for (size_t i = 0; i < 3; ++i) QVERIFY(std::abs(x[i] - expected[i]) < 1e-13);
}

void CholeskyTest::refusals() {
    std::vector<double> indefinite{1.0, 2.0, 2.0, 1.0};
    QVERIFY(!factorizeCholesky(indefinite, 2));
    // The second pivot is 2e-12: positive, but below the limit.
    const std::vector<double> nearlySingular{1.0, 1.0 - 1e-12, 1.0 - 1e-12, 1.0};
    std::vector<double> copy = nearlySingular;
    QVERIFY(factorizeCholesky(copy, 2));
    copy = nearlySingular;
    QVERIFY(!factorizeCholesky(copy, 2, 1e-10));
    std::vector<double> unknown{NAN};
    QVERIFY(!factorizeCholesky(unknown, 1));
}

QTEST_APPLESS_MAIN(CholeskyTest)
#include "tst_cholesky.moc"
