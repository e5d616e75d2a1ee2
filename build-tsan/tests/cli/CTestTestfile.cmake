# CMake generated Testfile for 
# Source directory: /work/wt/session/tests/cli
# Build directory: /work/wt/session/build-tsan/tests/cli
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
