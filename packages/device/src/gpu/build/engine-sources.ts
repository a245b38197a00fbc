// The sources that the engine library brings along: a git bundle with the version of llama.cpp that its packages were built from.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CommandError } from '@hearth/command-line/errors'

export function sourceBundle(): string {
  const path = fileURLToPath(new URL('../llama/gitRelease.bundle', import.meta.resolve('node-llama-cpp')))
  if (existsSync(path)) return path
  throw new CommandError(`The engine's sources are missing: ${path}`, 'reinstall the app')
}

/**
 * Builds only the CUDA back end, which the packaged libraries load beside them. Those look for each other without version numbers in their
 * names, and in the folder they are in.
 */
export const CMAKE_PROJECT = `cmake_minimum_required(VERSION 3.19)
project(hearth-gpu C CXX)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_PLATFORM_NO_VERSIONED_SONAME ON)
set(CMAKE_BUILD_RPATH "$ORIGIN")
add_subdirectory(ggml)
`

/** The engine's own choices, but for this card only, and without anything that needs a network or another library. */
export const CMAKE_OPTIONS: readonly string[] = [
  '-DCMAKE_BUILD_TYPE=Release',
  '-DBUILD_SHARED_LIBS=ON',
  '-DGGML_BACKEND_DL=ON',
  '-DGGML_CUDA=ON',
  '-DGGML_CUDA_GRAPHS=ON',
  '-DGGML_CUDA_NCCL=OFF',
  '-DGGML_CPU=OFF',
  '-DGGML_NATIVE=OFF',
  '-DGGML_OPENMP=OFF',
  '-DGGML_CCACHE=OFF',
]
