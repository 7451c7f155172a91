# Compiler settings shared by every target: warnings, sanitizers, ccache and mold where they are installed.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Precompiled headers are cacheable only with this sloppiness; the base folder lets several clones share what was compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_MAXSIZE=8G
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Both see ghosts in std::string and std::optional (GCC bugs 105651 and 80635).
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict> $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()
if(TRAINYARD_WERROR)
  add_compile_options(-Werror)
endif()
if(TRAINYARD_SANITIZE)
  add_compile_options(-fsanitize=${TRAINYARD_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TRAINYARD_SANITIZE})
endif()
