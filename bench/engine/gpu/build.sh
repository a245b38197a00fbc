#!/usr/bin/env bash
# build.sh PARTS WORK: on the machine with the GPU, with the part.* files of pack.sh in PARTS. Unpacks them into WORK, builds llama.cpp for this
# card from the sources that node-llama-cpp carries (about four minutes on 16 cores), and writes an 8B-sized model with random weights.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cat "$1"/part.* | tar xJ -C "$2" && cd "$2"
mkdir -p python && python3 -c "import glob, zipfile; zipfile.ZipFile(glob.glob('gguf-*.whl')[0]).extractall('python')"
PYTHONPATH=python python3 "$here/random_model.py" model.gguf random8b.gguf 32 4096 14336 32 8 &
git clone -q hearth/node_modules/node-llama-cpp/llama/gitRelease.bundle llama.cpp && cd llama.cpp
cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DGGML_CUDA=ON -DGGML_BACKEND_DL=ON -DGGML_NATIVE=OFF -DBUILD_SHARED_LIBS=ON \
  -DCMAKE_CUDA_ARCHITECTURES=native -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF \
  -DLLAMA_BUILD_APP=OFF -DLLAMA_BUILD_UI=OFF > ../cmake.log
cmake --build build -j "$(nproc)" --target ggml-cuda ggml-cpu llama-server | tail -1
wait
# The package's own back end stays beside the new one, to see what the app does with one that doesn't run on this card.
bins=../hearth/node_modules/@node-llama-cpp/linux-x64-cuda/bins/linux-x64-cuda
mv $bins/libggml-cuda.so $bins/libggml-cuda.so.package
cp build/bin/libggml-cuda.so $bins/ && ln -sf libggml-base.so $bins/libggml-base.so.0
