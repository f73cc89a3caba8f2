# SPDX-License-Identifier: BSD-3-Clause
# Adds a launch test.
#
# :param filename: the test file, absolute or relative to the current source folder or its test
#   folder
# :param TARGET: the test's name; by default made from the file's path
# :param TIMEOUT: seconds, 60 by default
# :param PYTHON_EXECUTABLE: the Python to use
# :param RUNNER: the program that runs the test, as of ament_add_test
# :param ARGS: launch arguments, such as `name:=value`
# :param ENV, APPEND_ENV, APPEND_LIBRARY_DIRS, WORKING_DIRECTORY, SKIP_TEST: as of ament_add_test
# :param LABELS: additional labels of the test
function(add_launch_test filename)
  cmake_parse_arguments(ARG "SKIP_TEST" "TARGET;TIMEOUT;PYTHON_EXECUTABLE;RUNNER;WORKING_DIRECTORY"
    "ARGS;APPEND_ENV;APPEND_LIBRARY_DIRS;ENV;LABELS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_launch_test(${filename}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()

  set(file "")
  foreach(candidate "${filename}" "${CMAKE_CURRENT_SOURCE_DIR}/${filename}"
      "${CMAKE_CURRENT_SOURCE_DIR}/test/${filename}")
    if(IS_ABSOLUTE "${candidate}" AND EXISTS "${candidate}" AND NOT file)
      set(file "${candidate}")
    endif()
  endforeach()
  if(NOT file)
    message(FATAL_ERROR "add_launch_test(): there is no test file '${filename}'")
  endif()

  if(NOT ARG_TARGET)
    file(RELATIVE_PATH ARG_TARGET "${CMAKE_CURRENT_SOURCE_DIR}" "${file}")
    string(REPLACE "/" "_" ARG_TARGET "${ARG_TARGET}")
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  if(NOT ARG_PYTHON_EXECUTABLE)
    if(NOT Python3_EXECUTABLE)
      find_package(Python3 REQUIRED COMPONENTS Interpreter)
    endif()
    set(ARG_PYTHON_EXECUTABLE "${Python3_EXECUTABLE}")
  endif()

  set(result_file "${AMENT_TEST_RESULTS_DIR}/${PROJECT_NAME}/${ARG_TARGET}.xunit.xml")
  set(options "")
  foreach(name RUNNER WORKING_DIRECTORY)
    if(ARG_${name})
      list(APPEND options ${name} "${ARG_${name}}")
    endif()
  endforeach()
  foreach(name ENV APPEND_ENV APPEND_LIBRARY_DIRS)
    if(ARG_${name})
      list(APPEND options ${name} ${ARG_${name}})
    endif()
  endforeach()
  if(ARG_SKIP_TEST)
    list(APPEND options SKIP_TEST)
  endif()

  ament_add_test("${ARG_TARGET}"
    COMMAND "${ARG_PYTHON_EXECUTABLE}" -m launch_testing.launch_test "${file}" ${ARG_ARGS}
      "--junit-xml=${result_file}" "--package-name=${PROJECT_NAME}"
    OUTPUT_FILE "${CMAKE_BINARY_DIR}/launch_test/${ARG_TARGET}.txt"
    RESULT_FILE "${result_file}"
    TIMEOUT ${ARG_TIMEOUT}
    ${options})
  set_tests_properties("${ARG_TARGET}" PROPERTIES LABELS "launch_test;${ARG_LABELS}")
endfunction()
