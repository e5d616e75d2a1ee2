# CMake generated Testfile for 
# Source directory: /work/wt/session/tests/session
# Build directory: /work/wt/session/build-tsan/tests/session
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
add_test([=[tst_job_runner]=] "/work/wt/session/build-tsan/tests/tst_job_runner")
set_tests_properties([=[tst_job_runner]=] PROPERTIES  ENVIRONMENT "QT_QPA_PLATFORM=offscreen;TSAN_OPTIONS=ignore_noninstrumented_modules=1" LABELS "unit;session" SKIP_REGULAR_EXPRESSION "SKIP   : [A-Za-z0-9_]+::initTestCase" TIMEOUT "300" _BACKTRACE_TRIPLES "/work/wt/session/tests/CMakeLists.txt;22;add_test;/work/wt/session/tests/session/CMakeLists.txt;1;armilla_test;/work/wt/session/tests/session/CMakeLists.txt;0;")
add_test([=[tst_time_left]=] "/work/wt/session/build-tsan/tests/tst_time_left")
set_tests_properties([=[tst_time_left]=] PROPERTIES  ENVIRONMENT "QT_QPA_PLATFORM=offscreen" LABELS "unit;session" SKIP_REGULAR_EXPRESSION "SKIP   : [A-Za-z0-9_]+::initTestCase" TIMEOUT "300" _BACKTRACE_TRIPLES "/work/wt/session/tests/CMakeLists.txt;22;add_test;/work/wt/session/tests/session/CMakeLists.txt;3;armilla_test;/work/wt/session/tests/session/CMakeLists.txt;0;")
