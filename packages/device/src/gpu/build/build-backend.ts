// Builds the engine's CUDA back end for this machine's cards, from the sources that come with the engine and without a network. Everything
// happens in a draft folder beside the target, which gets the result in one step and is removed however the build ends.

import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@hearth/instances'
import { CommandError } from '@hearth/command-line/errors'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import type { FollowCommand } from '../../system/follow-command.ts'
import {
  BUILD_RECORD,
  BUILT_LIBRARY,
  buildName,
  builtFolder,
  draftFolder,
  listDrafts,
  type BuildKey,
} from '../built/built-backend.ts'
import { BuildError } from './build-error.ts'
import { CMAKE_OPTIONS, CMAKE_PROJECT } from './engine-sources.ts'
import type { Tools } from './find-tools.ts'
import { BuildLog } from './build-log.ts'

export interface BuildPlan extends BuildKey {
  tools: Tools
  /** The git bundle with the sources. */
  bundle: string
  /** Compilers at once. */
  jobs: number
}

export interface BuildWorld {
  follow: FollowCommand
  environment: Readonly<Record<string, string | undefined>>
  onProgress: (share: number) => void
}

/** Returns its folder. Throws BuildError if a step fails. `folder` is where GPU packages are kept. */
export async function buildBackend(
  folder: string,
  plan: BuildPlan,
  world: BuildWorld,
  signal: AbortSignal,
): Promise<string> {
  removeLeftovers(folder)
  const draft = draftFolder(folder, process.pid)
  const target = join(builtFolder(folder), buildName(plan))
  try {
    const library = await compile(draft, plan, world, signal)
    const result = join(draft, 'result')
    mkdirSync(join(result, 'lib'), { recursive: true })
    copyFileSync(library, join(result, 'lib', BUILT_LIBRARY))
    const { engine, capabilities, cuda, tools } = plan
    writeJson(join(result, BUILD_RECORD), { engine, capabilities, cuda, toolkit: tools.toolkit })
    rmSync(target, { recursive: true, force: true })
    renameSync(result, target)
    return target
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Throws CommandError if another process builds here. */
function removeLeftovers(folder: string): void {
  for (const { path, process: other } of listDrafts(folder)) {
    if (other !== process.pid && isAlive(other))
      throw new CommandError(`Another build is running, as process ${other}`, 'wait for it, or end it')
    rmSync(path, { recursive: true, force: true })
  }
}

/** Returns the path of the library. */
async function compile(draft: string, plan: BuildPlan, world: BuildWorld, signal: AbortSignal): Promise<string> {
  const { tools, bundle, capabilities, jobs } = plan
  const log = new BuildLog(world.onProgress)
  const environment = { ...world.environment, CUDACXX: tools.nvcc, NINJA_STATUS: '[%f/%t] ' }
  const step = async (name: string, command: string, args: readonly string[]): Promise<void> => {
    const code = await world.follow(command, args, { environment, onLine: (line) => log.add(line), signal })
    if (code !== 0) throw new BuildError(name, log.lines())
  }
  const [git, source, build] = [join(draft, 'git'), join(draft, 'source'), join(draft, 'build')]
  mkdirSync(source, { recursive: true })
  writeFileSync(join(source, 'CMakeLists.txt'), CMAKE_PROJECT)
  await step('unpacking the sources', 'git', ['clone', '--quiet', '--bare', bundle, git])
  await step('unpacking the sources', 'git', [`--git-dir=${git}`, `--work-tree=${source}`, 'checkout', 'HEAD', 'ggml'])
  const cards = capabilities.map((capability) => `${capability.replace('.', '')}-real`).join(';')
  const places = [`-DCMAKE_CUDA_COMPILER=${tools.nvcc}`, `-DCUDAToolkit_ROOT=${tools.toolkit}`]
  const output = `-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${join(build, 'bin')}`
  const options = ['-G', tools.generator, ...CMAKE_OPTIONS, ...places, output, `-DCMAKE_CUDA_ARCHITECTURES=${cards}`]
  await step('preparing the build', 'cmake', ['-S', source, '-B', build, ...options])
  await step('compiling', 'cmake', ['--build', build, '--target', 'ggml-cuda', '--parallel', String(jobs)])
  return join(build, 'bin', BUILT_LIBRARY)
}
