# CMake generated Testfile for 
# Source directory: /work/wt/session
# Build directory: /work/wt/session/build-tsan
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
subdirs("compute/core")
subdirs("compute/io")
subdirs("compute/ops")
subdirs("render")
subdirs("app/session")
subdirs("app/figure")
subdirs("ui")
subdirs("app")
subdirs("tests")
