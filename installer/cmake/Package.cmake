# The build tree has the layout of an installation, so that programs find their resources the same way in both.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/resources ${CMAKE_BINARY_DIR}/share/trainyard SYMBOLIC)
