// Runs before the first model is loaded: detects a GPU and installs the engine's package for it. If this fails, models run slower, but they
// still run.

import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { DeviceError } from '../errors.ts'
import { detectGpu, gpuPackage, type Machine } from '../gpu/detect-gpu.ts'
import { engineVersion, fetchGpuPackage, hasGpuPackage } from '../gpu/fetch-gpu-package.ts'
import type { Say } from '../news.ts'
import type { Settings } from '../settings/settings.ts'
import type { RunCommand } from '../system/run-command.ts'

export interface GpuWorld {
  machine: Machine
  run: RunCommand
  /** The environment that engine processes inherit. */
  environment: Record<string, string | undefined>
  say: Say
}

export async function prepareGpu(
  folder: string,
  settings: Settings,
  world: GpuWorld,
  signal: AbortSignal,
): Promise<void> {
  if (settings.gpu === 'off') return
  const gpu = await detectGpu(world.machine, world.run)
  const name = gpuPackage(gpu, world.machine)
  if (gpu === undefined || name === undefined) return
  const version = engineVersion()
  if (!hasGpuPackage(folder, name, version)) {
    if (!settings.fetchGpu) return world.say(`Found ${gpu.name}, but its package is not installed (fetch-gpu is off)`)
    world.say(`Found ${gpu.name}. Installing ${name} with npm; this can take a few minutes…`, 'info')
    if (!(await tryFetch(folder, name, version, world, signal))) return
  }
  letEnginesFind(folder, world.environment)
}

async function tryFetch(
  folder: string,
  name: string,
  version: string,
  world: GpuWorld,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await fetchGpuPackage(folder, name, version, world.run, signal)
    return true
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    world.say(`${error.message} → ${error.advice}`)
    return false
  }
}

function letEnginesFind(folder: string, environment: Record<string, string | undefined>): void {
  const hook = pathToFileURL(join(import.meta.dirname, '../gpu/find-gpu-package.ts')).href
  environment['HEARTH_GPU_PACKAGES'] = folder
  environment['NODE_OPTIONS'] = `${environment['NODE_OPTIONS'] ?? ''} --import ${hook}`.trim()
}
