# Install rules; the packages are described in packaging/cpack.
install(TARGETS armilla armilla-gui RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
