# CMake generated Testfile for 
# Source directory: /work/wt/session/tests
# Build directory: /work/wt/session/build-tsan/tests
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
subdirs("compute")
subdirs("cli")
subdirs("render")
subdirs("session")
subdirs("ui")
subdirs("layering")
