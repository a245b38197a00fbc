// The command that installs missing build tools on this distribution of Linux.

import { join } from 'node:path'
import { distributionOf, installCommand, type Distribution } from '@hearth/command-line/machine/distribution'
import { readText } from '@hearth/command-line/files/read-text'
import type { Tool } from './find-tools.ts'

const NAMES: Readonly<Record<Tool, string>> = {
  nvcc: "NVIDIA's compiler nvcc (CUDA 12 or 13)",
  cublas: "cuBLAS's headers",
  cmake: 'CMake 3.19 or newer',
  compiler: 'a C++ compiler',
  ninja: 'Ninja or make',
  git: 'git',
}

interface Toolchain {
  packages: Readonly<Record<Exclude<Tool, 'cublas'>, string>>
  /** cuBLAS's package for a version of CUDA such as 13-0. */
  cublas: (cuda: string) => string
}

const TOOLCHAINS: Readonly<Partial<Record<Distribution, Toolchain>>> = {
  debian: {
    packages: {
      nvcc: 'nvidia-cuda-toolkit',
      cmake: 'cmake',
      compiler: 'g++',
      ninja: 'ninja-build',
      git: 'git',
    },
    cublas: (cuda) => `libcublas-dev-${cuda}`,
  },
  fedora: {
    // From NVIDIA's own repository.
    packages: { nvcc: 'cuda-toolkit', cmake: 'cmake', compiler: 'gcc-c++', ninja: 'ninja-build', git: 'git' },
    cublas: (cuda) => `libcublas-devel-${cuda}`,
  },
  arch: {
    packages: { nvcc: 'cuda', cmake: 'cmake', compiler: 'gcc', ninja: 'ninja', git: 'git' },
    cublas: () => 'cuda',
  },
}

/** CMake 3.19 or newer and git */
export function nameTools(missing: readonly Tool[]): string {
  return new Intl.ListFormat('en').format(missing.map((tool) => NAMES[tool]))
}

/** `root` is '/', except in tests. */
export function installAdvice(missing: readonly Tool[], cuda: string | undefined, root = '/'): string {
  const release = readText(join(root, 'etc/os-release')) ?? ''
  const distribution = distributionOf(release)
  const toolchain = distribution && TOOLCHAINS[distribution]
  if (!toolchain) return 'install what is missing'
  const { packages, cublas } = toolchain
  const names = missing.map((tool) => (tool === 'cublas' ? cublas((cuda ?? '').replace('.', '-')) : packages[tool]))
  return installCommand(distribution, [...new Set(names)])
}
