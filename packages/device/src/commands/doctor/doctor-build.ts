// Recommends building a back end where the packaged one has no machine code for the card: its driver then compiles at first use, or can't.

import { join } from 'node:path'
import type { Backend, BackendReport } from '../../gpu/backend.ts'
import { findTools } from '../../gpu/build/find-tools.ts'
import { installAdvice } from '../../gpu/build/install-advice.ts'
import { askCapabilities } from '../../gpu/capabilities.ts'
import { systemOf } from '../../gpu/cuda-package.ts'
import { gpuPackage } from '../../gpu/detect-gpu.ts'
import { engineVersion, findGpuPackage } from '../../gpu/fetch-gpu-package.ts'
import { findLibrary, libraryFolders } from '../../gpu/find-libraries.ts'
import { machineCodeIn, runsOn } from '../../gpu/machine-code.ts'
import { requirementsOf } from '../../gpu/requirements.ts'
import type { Context } from '../context.ts'
import { GPU_WORLD, type GpuWorld } from '../gpu/gpu-world.ts'
import { warn, type Line } from '../../terminal/line.ts'

export async function recommendBuild(
  backend: Backend,
  { problems }: Pick<BackendReport, 'problems'>,
  context: Context,
  gpuWorld: GpuWorld = GPU_WORLD,
): Promise<Line[]> {
  const hasBuilt = backend.rung === 'cuda-built' || problems.some(({ rung }) => rung === 'cuda-built')
  // A back end that was built and can't be used has a line of its own.
  if (gpuWorld.machine.platform !== 'linux' || hasBuilt || !hasDriver(context, gpuWorld)) return []
  const library = backend.gpu === 'cuda' ? backend.library : packagedLibrary(context, gpuWorld)
  const machineCode = library === undefined ? undefined : machineCodeIn(library)
  if (machineCode === undefined) return []
  const missing = (await askCapabilities(gpuWorld.run)).filter((capability) => !runsOn(capability, machineCode))
  if (missing.length === 0) return []
  const card = `this card (compute capability ${missing.join(' and ')})`
  const effect = backend.gpu === 'cuda' ? ', so the driver compiles it at first use' : ''
  const advice = await nextStep(context, gpuWorld)
  return [warn(`GPU: the package has no machine code for ${card}${effect} → ${advice}`)]
}

async function nextStep({ world }: Context, gpuWorld: GpuWorld): Promise<string> {
  const found = await findTools({ ...gpuWorld, environment: world.environment })
  const build = 'hearth-device gpu build'
  return found.kind === 'complete'
    ? `for faster answers: ${build}`
    : `for faster answers: ${installAdvice(found.missing, found.cuda, gpuWorld.root)}, then ${build}`
}

/** Without it, nothing that is built for the card could be used. */
function hasDriver({ world }: Context, { machine, root }: GpuWorld): boolean {
  const folders = libraryFolders(machine.platform, world.environment, root)
  return findLibrary(requirementsOf('cuda', machine).driverLibrary ?? '', folders) !== undefined
}

function packagedLibrary({ state }: Context, { machine }: GpuWorld): string | undefined {
  const name = gpuPackage('cuda', machine)
  const main = name === undefined ? undefined : findGpuPackage(state.gpu, name, engineVersion())
  return main === undefined ? undefined : join(main, 'bins', systemOf(main), 'libggml-cuda.so')
}
