// The ladder of back ends on this machine, with the owner's settings.

import { statSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { runTrial } from '../../engines/llama/process/run-trial.ts'
import type { BackendReport } from '../../gpu/backend.ts'
import { listBuilt } from '../../gpu/built/built-backend.ts'
import { askCapabilities } from '../../gpu/capabilities.ts'
import { detectGpu, gpuPackage, type Gpu, type Machine } from '../../gpu/detect-gpu.ts'
import { engineVersion, fetchGpuPackage, findGpuPackage } from '../../gpu/fetch-gpu-package.ts'
import { findLibrary, libraryFolders } from '../../gpu/find-libraries.ts'
import { Ladder, type LadderOptions } from '../../gpu/ladder.ts'
import { createLadderMemory } from '../../gpu/ladder-memory.ts'
import { prepareRung, type RungWorld } from '../../gpu/prepare-rung.ts'
import { requirementsOf } from '../../gpu/requirements.ts'
import { rungsFor } from '../../gpu/rungs.ts'
import type { DownloadWorld } from '../../models/download/download.ts'
import type { PullNews, Say } from '../../news.ts'
import type { Settings } from '../../settings/settings.ts'
import type { RunCommand } from '../../system/run-command.ts'
import { APP_VERSION } from '../../version.ts'
import { cudaLibrariesFolder, fetchCudaLibraries } from './fetch-cuda-libraries.ts'
import { listFolder } from '../../system/list-folder.ts'

export interface LadderWorld {
  machine: Machine
  run: RunCommand
  environment: Readonly<Record<string, string | undefined>>
  say: Say
  now: () => number
  onReport?: (report: BackendReport) => void
  downloads?: Partial<DownloadWorld>
  onPull?: (news: PullNews) => void
  onPullEnd?: () => void
  /** Tries everything, whatever an earlier run remembered. */
  isFresh?: boolean
  /** Replaced in tests. */
  trial?: LadderOptions['trial']
  root?: string
}

export type GpuSettings = Pick<Settings, 'gpu' | 'fetchGpu' | 'gpuLibraries'>

/** `folder` is where GPU packages and the memory of the ladder are kept. */
export async function openLadder(
  folder: string,
  settings: GpuSettings,
  world: LadderWorld,
  signal: AbortSignal,
): Promise<Ladder> {
  const gpu = settings.gpu === 'off' ? undefined : await detectGpu(world)
  const rungWorld = createRungWorld(folder, settings, gpu, world)
  const memory = createLadderMemory(join(folder, 'ladder.json'), () => circumstances(settings, rungWorld))
  return new Ladder({
    rungs: rungsFor(settings.gpu, gpu, world.machine, listBuilt(folder).length > 0),
    gpu,
    prepare: (rung, end) => prepareRung(rung, rungWorld, end),
    trial: world.trial ?? runTrial,
    memory: world.isFresh === true ? { ...memory, recall: () => undefined } : memory,
    say: world.say,
    now: world.now,
    signal,
    ...(world.onReport !== undefined && { onReport: world.onReport }),
  })
}

function createRungWorld(folder: string, settings: GpuSettings, gpu: Gpu | undefined, world: LadderWorld): RungWorld {
  const { machine, environment, root, run, say } = world
  const version = engineVersion()
  const fetchPackage = async (name: string, signal: AbortSignal): Promise<void> => {
    say(`Found ${gpu?.name ?? 'a GPU'}. Installing ${name} with npm; this can take a few minutes…`, 'info')
    await fetchGpuPackage(folder, name, version, run, signal)
  }
  const fetchLibraries = (rung: 'cuda' | 'cuda12', signal: AbortSignal): Promise<void> => {
    const { downloads = {}, onPull = () => {}, onPullEnd = () => {} } = world
    return fetchCudaLibraries(folder, rung, { machine, run, say, downloads, onPull, onPullEnd }, signal)
  }
  return {
    machine,
    gpu,
    folder,
    version,
    environment,
    capabilities: () => askCapabilities(run),
    librariesFolder: (rung) => cudaLibrariesFolder(folder, rung),
    ...(root !== undefined && { root }),
    ...(settings.fetchGpu && { fetchPackage }),
    ...(settings.gpuLibraries === 'auto' && { fetchLibraries }),
  }
}

/** Everything that decides whether a rung works. */
function circumstances({ gpu: setting }: GpuSettings, world: RungWorld): unknown {
  const { machine, gpu, version, environment, root } = world
  const folders = libraryFolders(machine.platform, environment, root)
  const libraries = (['cuda', 'cuda12', 'vulkan'] as const).flatMap((rung) => {
    const { driverLibrary = '', cudaLibraries } = requirementsOf(rung, machine)
    return [driverLibrary, ...cudaLibraries].map((name) => findLibrary(name, folders) ?? '')
  })
  const packages = (['cuda', 'cuda-ext', 'vulkan'] as const).map((kind) => packageMark(kind, world))
  const built = listBuilt(world.folder).map(({ folder, bytes, builtAt }) => [folder, bytes, builtAt])
  return { app: APP_VERSION, version, machine, system: release(), setting, gpu, libraries, packages, built }
}

/** Changes when somebody replaces a back end's file, e.g. by one built for the card. */
function packageMark(kind: 'cuda' | 'cuda-ext' | 'vulkan', { folder: place, version, machine }: RungWorld): string[] {
  const name = gpuPackage(kind, machine)
  const path = name === undefined ? undefined : findGpuPackage(place, name, version)
  if (path === undefined) return []
  const folders = listFolder(join(path, 'bins')).flatMap((system) => [system, join(system, 'fallback')])
  return folders.flatMap((folder) => backendFiles(join(path, 'bins', folder)))
}

function backendFiles(folder: string): string[] {
  return listFolder(folder)
    .filter((file) => /ggml-(cuda|vulkan)/.test(file))
    .map((file) => {
      const { size, mtimeMs } = statSync(join(folder, file))
      return `${file} ${size} ${Math.round(mtimeMs)}`
    })
}
