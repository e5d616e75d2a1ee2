# CPack runs this before it makes packages. Without dpkg-shlibdeps it would make packages that need no library.
find_program(shlibdeps dpkg-shlibdeps)
if(NOT shlibdeps)
    message(FATAL_ERROR "expected dpkg-shlibdeps for the dependencies of the packages, found none; install dpkg-dev")
endif()
