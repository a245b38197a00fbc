// The command that installs missing build tools on this distribution of Linux.

import { join } from 'node:path'
import { readText } from '../../system/read-text.ts'
import type { Tool } from './find-tools.ts'

const NAMES: Readonly<Record<Tool, string>> = {
  nvcc: "NVIDIA's compiler nvcc (CUDA 12 or 13)",
  cublas: "cuBLAS's headers",
  cmake: 'CMake 3.19 or newer',
  compiler: 'a C++ compiler',
  ninja: 'Ninja or make',
  git: 'git',
}

interface Distribution {
  /** IDs in os-release. */
  ids: readonly string[]
  command: string
  packages: Readonly<Record<Exclude<Tool, 'cublas'>, string>>
  /** cuBLAS's package for a version of CUDA such as 13-0. */
  cublas: (cuda: string) => string
}

const DISTRIBUTIONS: readonly Distribution[] = [
  {
    ids: ['debian', 'ubuntu'],
    command: 'sudo apt install',
    packages: {
      nvcc: 'nvidia-cuda-toolkit',
      cmake: 'cmake',
      compiler: 'g++',
      ninja: 'ninja-build',
      git: 'git',
    },
    cublas: (cuda) => `libcublas-dev-${cuda}`,
  },
  {
    ids: ['fedora', 'rhel', 'centos'],
    command: 'sudo dnf install',
    // From NVIDIA's own repository.
    packages: { nvcc: 'cuda-toolkit', cmake: 'cmake', compiler: 'gcc-c++', ninja: 'ninja-build', git: 'git' },
    cublas: (cuda) => `libcublas-devel-${cuda}`,
  },
  {
    ids: ['arch'],
    command: 'sudo pacman -S',
    packages: { nvcc: 'cuda', cmake: 'cmake', compiler: 'gcc', ninja: 'ninja', git: 'git' },
    cublas: () => 'cuda',
  },
]

/** CMake 3.19 or newer and git */
export function nameTools(missing: readonly Tool[]): string {
  return new Intl.ListFormat('en').format(missing.map((tool) => NAMES[tool]))
}

/** `root` is '/', except in tests. */
export function installAdvice(missing: readonly Tool[], cuda: string | undefined, root = '/'): string {
  const release = readText(join(root, 'etc/os-release')) ?? ''
  const ids = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap(([, value = '']) => value.split(' '))
  const distribution = DISTRIBUTIONS.find((known) => known.ids.some((id) => ids.includes(id)))
  if (distribution === undefined) return 'install what is missing'
  const { command, packages, cublas } = distribution
  const names = missing.map((tool) => (tool === 'cublas' ? cublas((cuda ?? '').replace('.', '-')) : packages[tool]))
  return `${command} ${[...new Set(names)].join(' ')}`
}
