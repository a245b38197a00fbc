// Finds out whether a back end can be built on this machine, and for what.

import { availableParallelism } from 'node:os'
import { CommandError } from '@hearth/command-line/errors'
import { availableMemory } from '@hearth/command-line/machine/available-memory'
import type { BuildPlan } from '../../gpu/build/build-backend.ts'
import { gpuPackage, detectGpu, type Gpu, type Machine, type MachineView } from '../../gpu/detect-gpu.ts'
import { engineVersion } from '../../gpu/fetch-gpu-package.ts'
import type { Context } from '../context.ts'
import type { GpuWorld } from './gpu-world.ts'
import { askCapabilities } from '../../gpu/capabilities.ts'
import { libraryFolders } from '../../gpu/find-libraries.ts'
import { checkDriver, rungLike } from '../../gpu/prepare-rung.ts'
import { requirementsOf } from '../../gpu/requirements.ts'
import { sourceBundle } from '../../gpu/build/engine-sources.ts'
import { canCompileFor, findTools, type Tools } from '../../gpu/build/find-tools.ts'
import { installAdvice, nameTools } from '../../gpu/build/install-advice.ts'

/** One compiler for CUDA takes up to this much memory. */
const COMPILER_BYTES = 2e9
/** The versions of CUDA whose run-time libraries the app knows. */
const KNOWN_CUDA = ['12', '13']

export interface PlannedBuild extends BuildPlan {
  gpu: Gpu
}

/** Throws CommandError if nothing can be built here. */
export async function planBuild({ world }: Context, gpuWorld: GpuWorld, jobs?: number): Promise<PlannedBuild> {
  const view = { ...gpuWorld, environment: world.environment }
  checkSystem(gpuWorld.machine)
  const gpu = await detectGpu(view)
  if (gpu?.kind !== 'cuda')
    throw new CommandError(
      gpu === undefined ? 'No NVIDIA card found' : `${gpu.name} is no NVIDIA card with a driver for CUDA`,
      "there is nothing to build for other cards; if this machine has an NVIDIA card, install NVIDIA's driver",
    )
  const found = await findTools(view)
  if (found.kind === 'incomplete') throw toolsMissing(found, gpuWorld.root)
  const { tools } = found
  checkDriver(requirementsOf(rungLike(tools), gpuWorld.machine), driverFolders(view), { gpu })
  const capabilities = await checkCards(tools, gpuWorld)
  const key = { engine: engineVersion(), capabilities, cuda: tools.cuda }
  return { ...key, gpu, tools, bundle: sourceBundle(), jobs: jobs ?? chooseJobs() }
}

function checkSystem(machine: Machine): void {
  if (machine.platform === 'darwin')
    throw new CommandError(
      'Nothing to build on a Mac',
      "Metal comes with the engine, and fits every Mac with Apple's chips",
    )
  if (gpuPackage('cuda', machine) === undefined || machine.platform !== 'linux')
    throw new CommandError(
      'A back end can only be built on Linux with an Intel or AMD processor',
      'models run on the packaged back ends here',
    )
}

function driverFolders({ machine, environment, root }: MachineView): string[] {
  return libraryFolders(machine.platform, environment, root)
}

function toolsMissing(
  { missing, cuda }: { missing: Parameters<typeof nameTools>[0]; cuda?: string },
  root?: string,
): CommandError {
  return new CommandError(`This machine lacks ${nameTools(missing)}`, installAdvice(missing, cuda, root))
}

/** Returns their compute capabilities. */
async function checkCards(tools: Tools, { run }: GpuWorld): Promise<readonly string[]> {
  if (!KNOWN_CUDA.includes(tools.cuda.split('.')[0] ?? ''))
    throw new CommandError(
      `The CUDA toolkit in ${tools.toolkit} has version ${tools.cuda}, but the app needs 12 or 13`,
      'install one of those, and name its compiler in CUDACXX if you keep the other',
    )
  const capabilities = await askCapabilities(run, tools.toolkit)
  if (capabilities.length === 0)
    throw new CommandError("Can't find out the card's compute capability", 'check that nvidia-smi lists the card')
  for (const capability of capabilities)
    if ((await canCompileFor(capability, tools, run)) === false)
      throw new CommandError(
        `CUDA ${tools.cuda} can't build for this card, whose compute capability is ${capability}`,
        'install another version of the CUDA toolkit, and name its compiler in CUDACXX if you keep this one',
      )
  return capabilities
}

function chooseJobs(): number {
  const byMemory = Math.floor(availableMemory().available / COMPILER_BYTES)
  return Math.max(1, Math.min(availableParallelism(), byMemory))
}
