// A machine with an NVIDIA card and the tools that build a back end, as scripts that print and write what the real ones do.

import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Context } from '../../commands/context.ts'
import type { GpuWorld } from '../../commands/gpu/gpu-world.ts'
import type { Rung } from '../../gpu/backend.ts'
import { engineVersion } from '../../gpu/fetch-gpu-package.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { stateFolder } from '../../state/folder.ts'
import { followCommand } from '../../system/follow-command.ts'
import type { RunCommand } from '../../system/run-command.ts'
import { createScreen } from '@hearth/command-line/terminal/screen'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'

/** Builds in three steps. */
const CMAKE = `
case "$1" in
  --version) echo "cmake version 3.28.3" ;;
  --build)
    for step in 1 2 3; do echo "[$step/3] Building CUDA object"; done
    mkdir -p "$2/bin" && echo "built with $CUDACXX" > "$2/bin/libggml-cuda.so" ;;
  *) echo "$@" >> "$HOME/configured"; echo "-- Configuring done" ;;
esac`

export const BUILD_TOOLS: Readonly<Record<string, string>> = {
  'nvidia-smi': 'case "$1" in *compute_cap*) echo 9.0 ;; *) echo "NVIDIA H200, 580.95.05, 143771" ;; esac',
  cmake: CMAKE,
  'c++': 'echo "c++ 13.2"',
  ninja: 'echo 1.11',
  git: 'echo "git version 2.43"',
}
const NVCC = `case "$1" in
  --list-gpu-code) echo "sm_80 sm_90" ;;
  *) echo "Cuda compilation tools, release 13.0, V13.0.88" ;;
esac`
const LIBRARIES = 'usr/local/cuda-13.0/lib64'
const FILES: readonly string[] = [
  'dev/nvidia0',
  'usr/lib/x86_64-linux-gnu/libcuda.so.1',
  'usr/local/cuda-13.0/include/cublas_v2.h',
  ...['cudart', 'cublas', 'cublasLt'].map((name) => `${LIBRARIES}/lib${name}.so.13`),
]

export interface BuildMachine {
  context: Context
  world: GpuWorld
  /** Everything that was printed. */
  said: () => string
  root: string
  tried: Rung[]
  /** Where GPU packages are kept. */
  folder: string
}

export function put(path: string, content: string | Buffer = ''): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** `tools` replaces scripts, or removes those that are undefined. */
export function makeBuildMachine(
  tools: Readonly<Record<string, string | undefined>> = {},
  works: (rung: Rung) => boolean = () => true,
): BuildMachine {
  const root = scratchFolder()
  const state = stateFolder(join(root, 'state'))
  for (const file of FILES) put(join(root, file))
  put(join(root, 'etc/os-release'), 'ID=ubuntu\nID_LIKE=debian\n')
  putTools(root, { ...BUILD_TOOLS, ...tools }, 'nvcc' in tools ? tools['nvcc'] : NVCC)
  putPackage(state.gpu)
  let out = ''
  const output = { write: (text: string) => (out += text) }
  const environment = { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, HOME: root }
  const tried: Rung[] = []
  const trial: GpuWorld['trial'] = ({ rung }) => {
    tried.push(rung)
    return Promise.resolve(works(rung) ? undefined : { how: 'SIGABRT', output: 'CUDA error: invalid device function' })
  }
  const terminal = { screen: createScreen(output), isTerminal: false, startCommand: '' }
  return {
    context: {
      ...readSettings({ flags: {}, environment: {} }),
      ...terminal,
      state,
      world: { environment, stdout: output, stderr: output },
    },
    world: {
      machine: { platform: 'linux', arch: 'x64' },
      run: runIn(root, environment),
      follow: followCommand,
      trial,
      root,
    },
    said: () => out,
    root,
    tried,
    folder: state.gpu,
  }
}

function putTools(root: string, tools: Readonly<Record<string, string | undefined>>, nvcc: string | undefined): void {
  const scripts = Object.entries(tools).filter(([name]) => name !== 'nvcc')
  const places = scripts.map(([name, script]) => [join(root, 'bin', name), script] as const)
  for (const [path, script] of [...places, [join(root, 'usr/local/cuda-13.0/bin/nvcc'), nvcc] as const])
    if (script !== undefined) {
      put(path, `#!/bin/sh\n${script}\n`)
      chmodSync(path, 0o755)
    }
}

function putPackage(folder: string): void {
  const path = join(folder, 'linux-x64-cuda/node_modules/@node-llama-cpp/linux-x64-cuda')
  put(join(path, 'package.json'), JSON.stringify({ version: engineVersion() }))
  for (const file of ['llama-addon.node', 'libggml-base.so', 'libggml-cuda.so'])
    put(join(path, 'bins/linux-x64-cuda', file), `packaged ${file}`)
}

/** Only this machine's own programs exist. */
function runIn(root: string, environment: Record<string, string>): RunCommand {
  return (command, args) => {
    const path = command.startsWith(root) ? command : join(root, 'bin', command)
    if (!existsSync(path)) return Promise.resolve({ code: undefined, stdout: '', stderr: '' })
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<RunCommand>>>()
    execFile(path, [...args], { env: environment }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, stdout, stderr }),
    )
    return promise
  }
}
