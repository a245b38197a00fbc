// `gpu`: the card, the back end that models run on, and what was built here.

import { describeProblem, describeRung } from '../../gpu/backend.ts'
import { listBuilt, type BuiltBackend } from '../../gpu/built/built-backend.ts'
import { chooseBuilt } from '../../gpu/built/choose-built.ts'
import { askCapabilities } from '../../gpu/capabilities.ts'
import { detectGpu } from '../../gpu/detect-gpu.ts'
import { engineVersion } from '../../gpu/fetch-gpu-package.ts'
import { readStatus } from '../../state/status-file.ts'
import type { Context } from '../context.ts'
import { describeBuilt } from './build.ts'
import { GPU_WORLD, type GpuWorld } from './gpu-world.ts'

export async function listGpu(
  { isJson }: { isJson: boolean },
  context: Context,
  gpuWorld: GpuWorld = GPU_WORLD,
): Promise<void> {
  const { state, world } = context
  const gpu = await detectGpu({ ...gpuWorld, environment: world.environment })
  const capabilities = gpu?.kind === 'cuda' ? await askCapabilities(gpuWorld.run) : []
  const all = listBuilt(state.gpu)
  const backend = readStatus(state.status, new Date())?.backend
  if (isJson) {
    const built = all.map((entry) => ({ ...entry, isCurrent: isCurrent(entry, capabilities) }))
    return void world.stdout.write(`${JSON.stringify({ gpu, capabilities, backend, built })}\n`)
  }
  showCard(gpu?.name, capabilities, context)
  showBackend(backend, context)
  showBuilt(all, capabilities, context)
}

function showCard(name: string | undefined, capabilities: readonly string[], { screen }: Context): void {
  const facts = capabilities.length === 0 ? '' : `, compute capability ${capabilities.join(' and ')}`
  screen.line('info', name === undefined ? 'Card: none found' : `Card: ${name}${facts}`)
}

type Backend = NonNullable<ReturnType<typeof readStatus>>['backend']

function showBackend(backend: Backend, { screen }: Context): void {
  if (backend === undefined)
    return screen.line(
      'info',
      'Back end: the app has loaded no model yet; to try all back ends: hearth-device doctor --engine',
    )
  for (const problem of backend.problems) screen.line('warn', describeProblem(problem))
  screen.line('good', `Back end: models run on ${describeRung(backend)}`)
}

function showBuilt(all: readonly BuiltBackend[], capabilities: readonly string[], { screen }: Context): void {
  if (all.length === 0) return screen.line('info', 'Built here: nothing')
  for (const built of all) {
    const choice = chooseBuilt([built], { engine: engineVersion(), capabilities })
    if (choice.kind === 'stale')
      screen.line('warn', `Built here: ${describeBuilt(built)}; ${choice.why} → hearth-device gpu build`)
    else screen.line('good', `Built here: ${describeBuilt(built)}, on ${built.builtAt.toISOString().slice(0, 10)}`)
  }
}

function isCurrent(built: BuiltBackend, capabilities: readonly string[]): boolean {
  return chooseBuilt([built], { engine: engineVersion(), capabilities }).kind === 'fits'
}
