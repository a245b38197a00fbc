// The tools that build a CUDA back end: NVIDIA's compiler with cuBLAS, CMake, a C++ compiler, Ninja or make, and git.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listFolder } from '../../system/list-folder.ts'
import type { RunCommand } from '../../system/run-command.ts'

export interface ToolsView {
  run: RunCommand
  environment: Readonly<Record<string, string | undefined>>
  /** Where the file system begins: '/', except in tests. */
  root?: string
}

export const TOOLS = ['nvcc', 'cublas', 'cmake', 'compiler', 'ninja', 'git'] as const
export type Tool = (typeof TOOLS)[number]

export interface Tools {
  nvcc: string
  /** The folder of the CUDA toolkit. */
  toolkit: string
  /** The toolkit's version, such as 13.0. */
  cuda: string
  generator: 'Ninja' | 'Unix Makefiles'
}

export type FoundTools =
  | { kind: 'complete'; tools: Tools }
  | { kind: 'incomplete'; missing: readonly Tool[]; cuda?: string }

const ASK_MS = 10_000
/** The oldest CMake that knows CUDA's architectures as the engine's sources name them. */
const LEAST_CMAKE = [3, 19] as const

export async function findTools(view: ToolsView): Promise<FoundTools> {
  const toolkit = await findToolkit(view)
  const has = async (command: string): Promise<boolean> => (await version(command, view)) !== undefined
  const [hasNinja, hasMake, hasGit] = [await has('ninja'), await has('make'), await has('git')]
  const present: Readonly<Record<Tool, boolean>> = {
    nvcc: toolkit !== undefined,
    // Without a toolkit there is nowhere to look, and whoever installs one gets cuBLAS too.
    cublas: toolkit === undefined || hasCublas(toolkit.toolkit, view),
    cmake: isNewEnough(await version('cmake', view)),
    compiler: (await has('c++')) || (await has('g++')) || (await has('clang++')),
    ninja: hasNinja || hasMake,
    git: hasGit,
  }
  const missing = TOOLS.filter((tool) => !present[tool])
  if (toolkit === undefined) return { kind: 'incomplete', missing }
  if (missing.length > 0) return { kind: 'incomplete', missing, cuda: toolkit.cuda }
  return { kind: 'complete', tools: { ...toolkit, generator: hasNinja ? 'Ninja' : 'Unix Makefiles' } }
}

/** Undefined if this toolkit doesn't say. */
export async function canCompileFor(
  capability: string,
  { nvcc }: Tools,
  run: RunCommand,
): Promise<boolean | undefined> {
  const { code, stdout } = await run(nvcc, ['--list-gpu-code'], { timeoutMs: ASK_MS })
  return code === 0 ? stdout.split(/\s+/).includes(`sm_${capability.replace('.', '')}`) : undefined
}

async function findToolkit(view: ToolsView): Promise<Omit<Tools, 'generator'> | undefined> {
  for (const nvcc of nvccPaths(view)) {
    const { code, stdout } = await view.run(nvcc, ['--version'], { timeoutMs: ASK_MS })
    const cuda = /release (\d+\.\d+)/.exec(stdout)?.[1]
    if (code === 0 && cuda !== undefined) return { nvcc, cuda, toolkit: dirname(dirname(await whole(nvcc, view))) }
  }
  return undefined
}

/** The owner's choice first, then the newest. */
function nvccPaths({ environment, root = '/' }: ToolsView): string[] {
  const { CUDACXX: chosen, CUDA_PATH: path, CUDA_HOME: home } = environment
  const local = join(root, 'usr/local')
  const versions = listFolder(local).filter((name) => /^cuda-\d/.test(name))
  const newest = versions.toSorted((a, b) => Number(b.slice(5)) - Number(a.slice(5)))
  const folders = [path, home, join(local, 'cuda'), ...newest.map((name) => join(local, name)), join(root, 'opt/cuda')]
  const inFolders = folders.filter((folder) => folder !== undefined).map((folder) => join(folder, 'bin/nvcc'))
  const isChosen = chosen !== undefined && chosen !== ''
  return [...(isChosen ? [chosen] : []), 'nvcc', ...inFolders.filter((path) => existsSync(path))]
}

/** Where a command of the PATH really is. */
async function whole(command: string, { run }: ToolsView): Promise<string> {
  if (command.includes('/')) return command
  const { stdout } = await run('sh', ['-c', `readlink -f "$(command -v ${command})"`], { timeoutMs: ASK_MS })
  return stdout.trim()
}

function hasCublas(toolkit: string, { root = '/' }: ToolsView): boolean {
  const folders = [join(toolkit, 'include'), join(toolkit, 'targets/x86_64-linux/include'), join(root, 'usr/include')]
  return folders.some((folder) => existsSync(join(folder, 'cublas_v2.h')))
}

async function version(command: string, { run }: ToolsView): Promise<string | undefined> {
  const { code, stdout } = await run(command, ['--version'], { timeoutMs: ASK_MS })
  return code === 0 ? stdout : undefined
}

function isNewEnough(cmake: string | undefined): boolean {
  const [, major = 0, minor = 0] = (/version (\d+)\.(\d+)/.exec(cmake ?? '') ?? []).map(Number)
  return major > LEAST_CMAKE[0] || (major === LEAST_CMAKE[0] && minor >= LEAST_CMAKE[1])
}
