#!/bin/sh
# Builds the programs that spread one model over several machines, from the sources that come with Hearth's engine. They need git, CMake 3.19,
# a C++ compiler and, for NVIDIA cards, the CUDA toolkit. docs/larger-models.md says what to do with them.
#
#   deploy/rpc/build.sh FOLDER                       llama-server and ggml-rpc-server, into FOLDER/build/bin
#   deploy/rpc/build.sh FOLDER ggml-rpc-server       what a worker needs
#   CMAKE_OPTIONS=-DGGML_CUDA=ON deploy/rpc/build.sh FOLDER
set -eu
if [ $# -lt 1 ]; then
  echo "usage: $0 FOLDER [PROGRAM...]" >&2
  exit 2
fi
folder=$1
shift
if [ $# -eq 0 ]; then set -- llama-server ggml-rpc-server; fi
bundle=${BUNDLE:-$(dirname "$0")/../../node_modules/node-llama-cpp/llama/gitRelease.bundle}

if [ ! -d "$folder/source" ]; then
  # A clone that was interrupted must not look like one that is there.
  rm -rf "$folder/source.new"
  git -c advice.detachedHead=false clone --quiet "$bundle" "$folder/source.new"
  mv "$folder/source.new" "$folder/source"
fi
# shellcheck disable=SC2086 # several options
cmake -S "$folder/source" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DGGML_RPC=ON \
  -DGGML_CCACHE=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF \
  -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_OPENSSL=OFF ${CMAKE_OPTIONS-}
cmake --build "$folder/build" --config Release --target "$@" --parallel "${JOBS:-$(getconf _NPROCESSORS_ONLN)}"
echo "Built in $folder/build/bin: $*"
