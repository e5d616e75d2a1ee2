# Additional clean files
cmake_minimum_required(VERSION 3.16)

if("${CONFIG}" STREQUAL "" OR "${CONFIG}" STREQUAL "RelWithDebInfo")
  file(REMOVE_RECURSE
  "app/session/CMakeFiles/armilla_session_autogen.dir/AutogenUsed.txt"
  "app/session/CMakeFiles/armilla_session_autogen.dir/ParseCache.txt"
  "app/session/armilla_session_autogen"
  "tests/compute/CMakeFiles/tst_job_context_autogen.dir/AutogenUsed.txt"
  "tests/compute/CMakeFiles/tst_job_context_autogen.dir/ParseCache.txt"
  "tests/compute/tst_job_context_autogen"
  "tests/session/CMakeFiles/tst_job_runner_autogen.dir/AutogenUsed.txt"
  "tests/session/CMakeFiles/tst_job_runner_autogen.dir/ParseCache.txt"
  "tests/session/CMakeFiles/tst_time_left_autogen.dir/AutogenUsed.txt"
  "tests/session/CMakeFiles/tst_time_left_autogen.dir/ParseCache.txt"
  "tests/session/tst_job_runner_autogen"
  "tests/session/tst_time_left_autogen"
  "ui/CMakeFiles/armilla_ui_autogen.dir/AutogenUsed.txt"
  "ui/CMakeFiles/armilla_ui_autogen.dir/ParseCache.txt"
  "ui/armilla_ui_autogen"
  )
endif()
