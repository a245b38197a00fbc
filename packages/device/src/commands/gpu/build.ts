// `gpu build`: builds a CUDA back end for this machine's card, proves it, and makes it the first one that the app tries.

import { openLadder } from '../../app/back-end/open-ladder.ts'
import { systemClock } from '../../clock.ts'
import { CommandError } from '@hearth/command-line/errors'
import { formatBytes, formatSeconds } from '@hearth/command-line/format'
import { describeRung } from '../../gpu/backend.ts'
import { BuildError } from '../../gpu/build/build-error.ts'
import { buildBackend } from '../../gpu/build/build-backend.ts'
import { builtFolder, listBuilt, removeBuilt, type BuiltBackend } from '../../gpu/built/built-backend.ts'
import { gpuPackage } from '../../gpu/detect-gpu.ts'
import { fetchGpuPackage, findGpuPackage } from '../../gpu/fetch-gpu-package.ts'
import { freeBytesOf } from '@hearth/command-line/machine/folders'
import { readStatus } from '../../state/status-file.ts'
import { confirm } from '@hearth/command-line/terminal/confirm'
import { createBar } from '../../terminal/progress-bar.ts'
import type { Context } from '../context.ts'
import { GPU_WORLD, type GpuWorld } from './gpu-world.ts'
import { type PlannedBuild, planBuild } from './plan-build.ts'

/** What sources, objects and the library take while they are built. */
const BUILD_BYTES = 1.5e9
const RESULT_BYTES = 50e6
/** Of one core, for one kind of card. */
const BUILD_SECONDS = 64 * 60

export interface BuildOptions {
  hasConsent: boolean
  jobs?: number
}

export async function buildGpu(
  { hasConsent, jobs }: BuildOptions,
  context: Context,
  signal: AbortSignal,
  gpuWorld: GpuWorld = GPU_WORLD,
): Promise<void> {
  const { screen, state } = context
  const plan = await planBuild(context, gpuWorld, jobs)
  const before = listBuilt(state.gpu)
  const same = before.find((built) => isSame(built, plan))
  if (same !== undefined)
    return screen.line('good', `Already built: ${describeBuilt(same)}. To build it again: hearth-device gpu remove`)
  showPlan(plan, context)
  if (!hasConsent) await askConsent(context)
  await ensureEnginePackage(plan, context, gpuWorld, signal)
  const startedAt = performance.now()
  const folder = await build(plan, context, gpuWorld, signal)
  screen.line('good', `Built in ${formatSeconds((performance.now() - startedAt) / 1000)}`)
  await prove(folder, context, gpuWorld, signal)
  for (const old of before) if (old.folder !== folder) removeBuilt(old)
}

/** CUDA 13.0 for compute capability 9.0, engine 3.22.1, 103 MB */
export function describeBuilt({ cuda, capabilities, engine, bytes }: BuiltBackend): string {
  return `CUDA ${cuda} for compute capability ${capabilities.join(' and ')}, engine ${engine}, ${formatBytes(bytes)}`
}

function isSame(built: BuiltBackend, { engine, cuda, capabilities }: PlannedBuild): boolean {
  return built.engine === engine && built.cuda === cuda && built.capabilities.join() === capabilities.join()
}

function showPlan({ gpu, capabilities, tools, jobs }: PlannedBuild, { screen, state }: Context): void {
  const seconds = (BUILD_SECONDS * capabilities.length) / jobs
  const compilers = jobs === 1 ? 'one compiler' : `${jobs} compilers at once`
  screen.line('info', `Card: ${gpu.name}, compute capability ${capabilities.join(' and ')}`)
  screen.line('info', `Tools: CUDA ${tools.cuda} in ${tools.toolkit}, CMake with ${tools.generator}`)
  screen.line('info', `Builds the engine's CUDA back end for this card, from the sources that came with the app`)
  screen.line('info', `Goes to ${builtFolder(state.gpu)}; nothing else on the machine changes`)
  screen.line('info', `Takes about ${formatSeconds(seconds)} with ${compilers}, at low priority; needs no network`)
  const free = freeBytesOf(state.gpu)
  const sizes = `${formatBytes(BUILD_BYTES)} while it builds, and about ${formatBytes(RESULT_BYTES)} afterwards`
  screen.line('info', `Disk: ${sizes}; ${formatBytes(free)} are free`)
  if (free < BUILD_BYTES)
    throw new CommandError('Not enough disk space', 'free up space, or choose another folder with --home')
}

async function askConsent({ world }: Context): Promise<void> {
  const { stdin, stdout } = world
  if (stdin?.isTTY !== true)
    throw new CommandError('Nobody is here to say yes', 'to build without a question: hearth-device gpu build --yes')
  if (!(await confirm('Build it now?', stdin, stdout))) throw new CommandError('Nothing was built')
}

/** The built file works together with the other files of the engine's package. */
async function ensureEnginePackage(
  { engine }: PlannedBuild,
  { state, settings, screen }: Context,
  { machine, run }: GpuWorld,
  signal: AbortSignal,
): Promise<void> {
  const name = gpuPackage('cuda', machine)
  if (name === undefined || findGpuPackage(state.gpu, name, engine) !== undefined) return
  if (!settings.fetchGpu)
    throw new CommandError(`The engine's package ${name} is not installed`, 'allow it with fetch-gpu, then build again')
  screen.line('info', `Installing ${name} with npm; this can take a few minutes…`)
  await fetchGpuPackage(state.gpu, name, engine, run, signal)
}

async function build(plan: PlannedBuild, context: Context, { follow }: GpuWorld, signal: AbortSignal): Promise<string> {
  const { screen, state, world } = context
  const onProgress = createBar('Building', context, () => performance.now())
  try {
    return await buildBackend(state.gpu, plan, { follow, environment: world.environment, onProgress }, signal)
  } catch (error) {
    screen.live(undefined)
    if (error instanceof BuildError) for (const line of error.lines) screen.line('info', line)
    throw error
  } finally {
    screen.live(undefined)
  }
}

/** Throws CommandError if it doesn't compute correctly. It is then removed, unless that may pass. */
async function prove(folder: string, context: Context, gpuWorld: GpuWorld, signal: AbortSignal): Promise<void> {
  const { state, screen, settings, world } = context
  screen.live('  Trying it…')
  const ladderWorld = {
    ...gpuWorld,
    environment: world.environment,
    say: () => {},
    now: systemClock.now,
    isFresh: true,
  }
  const gpu = settings.gpu === 'cuda' ? 'cuda' : 'auto'
  const ladder = await openLadder(state.gpu, { gpu, fetchGpu: false, gpuLibraries: 'never' }, ladderWorld, signal)
  const report = await ladder.use().then(() => ladder.report())
  screen.live(undefined)
  const problem = report?.problems.find(({ rung }) => rung === 'cuda-built')
  if (report?.rung === 'cuda-built') {
    screen.line('good', `Models run on ${describeRung(report)}, which computes correctly`)
    if (readStatus(state.status, new Date()) !== undefined) screen.line('info', 'Restart the running app to use it')
    return
  }
  if (problem?.isPassing !== true) removeBuilt({ folder })
  throw new CommandError(`The new back end can't be used: ${problem?.why ?? 'its trial failed'}`, problem?.remedy)
}
