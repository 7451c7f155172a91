# LibTorch as the unpacked PyPI wheel (or any LibTorch with the same layout). Its own CMake package insists on a CUDA toolkit; this one does not.
# Result: target torch::torch, and TORCH_ROOT.
if(TRAINYARD_TORCH_DIR)
  set(TORCH_ROOT ${TRAINYARD_TORCH_DIR})
else()
  if(DEFINED ENV{TRAINYARD_CACHE})
    set(cache $ENV{TRAINYARD_CACHE})
  else()
    set(cache $ENV{HOME}/.cache/trainyard)
  endif()
  foreach(variant cuda cpu)
    if(NOT TORCH_ROOT AND EXISTS ${cache}/libtorch-2.15.0-${variant}/torch/include/torch/csrc/api/include/torch/torch.h)
      set(TORCH_ROOT ${cache}/libtorch-2.15.0-${variant}/torch)
    endif()
  endforeach()
endif()
if(NOT TORCH_ROOT OR NOT EXISTS ${TORCH_ROOT}/lib/libtorch_cpu.so)
  message(FATAL_ERROR "LibTorch was not found (looked in '${TORCH_ROOT}' and '${cache}').\n"
    "Run ./installer/run.sh, which fetches it, or pass -DTRAINYARD_TORCH_DIR=/path/to/torch.")
endif()
message(STATUS "LibTorch: ${TORCH_ROOT}")
set_property(GLOBAL PROPERTY TRAINYARD_TORCH_ROOT ${TORCH_ROOT})  # for Package.cmake, which is outside the scope of the room that looks for it

add_library(torch::torch INTERFACE IMPORTED)
target_include_directories(torch::torch SYSTEM INTERFACE ${TORCH_ROOT}/include ${TORCH_ROOT}/include/torch/csrc/api/include)
target_compile_definitions(torch::torch INTERFACE QT_NO_KEYWORDS USE_DISTRIBUTED USE_C10D_GLOO)
target_link_libraries(torch::torch INTERFACE ${TORCH_ROOT}/lib/libtorch_cpu.so ${TORCH_ROOT}/lib/libc10.so)
# CMake itself writes the folder of these two into what is linked in the build tree, and leaves it out of what is installed.
target_link_options(torch::torch INTERFACE -Wl,--unresolved-symbols=ignore-in-shared-libs)
