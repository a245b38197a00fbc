import { describe, expect, it } from 'vitest'
import { readModelShape } from '../../../models/gguf/model-shape.ts'
import { checkpointRoom, type Arrangement } from '../plan/memory-need.ts'
import { evaluatePrompt } from '../testing/evaluate-prompt.ts'
import { loadWindowed } from '../testing/load-windowed.ts'
import { makeModelFile } from '../testing/model-file.ts'
import { HYBRIDS, writeRandomModel, type Architecture } from '../testing/random-models.ts'

const CONTEXT = 2048
const ONE_SLOT: Arrangement = {
  slots: 1,
  context: CONTEXT,
  cache: 'f16',
  keepsOnlyWindow: true,
  gpuLayers: 0,
  batch: 512,
}
/** Positions and sizes are stored beside the states. */
const OTHER_BYTES = 1024

async function measure(architecture: Architecture): Promise<{ real: number; planned: number }> {
  const file = makeModelFile((path) => writeRandomModel(path, architecture))
  const native = await loadWindowed(file.path, 1, CONTEXT)
  try {
    await evaluatePrompt(native, 'Paris Rome Oslo '.repeat(60))
    const taken = await native.checkpointing!.take(0)
    const planned = checkpointRoom(readModelShape(file.path), ONE_SLOT)
    taken.dispose()
    return { real: taken.bytes, planned }
  } finally {
    await native.dispose()
    file.remove()
  }
}

describe('the memory that is planned for checkpoints', () => {
  it.each([...HYBRIDS, 'gemma3'] as const)('[W31] has room for several of a slot (%s)', async (architecture) => {
    const { real, planned } = await measure(architecture)
    expect(planned).toBeGreaterThan(3 * (real - OTHER_BYTES))
    expect(planned).toBeLessThan(6 * real)
  })
})
