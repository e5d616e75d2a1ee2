# CMake generated Testfile for 
# Source directory: /work/wt/session/tests/compute
# Build directory: /work/wt/session/build-tsan/tests/compute
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
add_test([=[tst_job_context]=] "/work/wt/session/build-tsan/tests/tst_job_context")
set_tests_properties([=[tst_job_context]=] PROPERTIES  ENVIRONMENT "QT_QPA_PLATFORM=offscreen" LABELS "unit" SKIP_REGULAR_EXPRESSION "SKIP   : [A-Za-z0-9_]+::initTestCase" TIMEOUT "300" _BACKTRACE_TRIPLES "/work/wt/session/tests/CMakeLists.txt;22;add_test;/work/wt/session/tests/compute/CMakeLists.txt;1;armilla_test;/work/wt/session/tests/compute/CMakeLists.txt;0;")
