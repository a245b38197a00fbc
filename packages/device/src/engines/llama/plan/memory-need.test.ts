import { describe, expect, it, onTestFinished } from 'vitest'
import { readModelShape } from '../../../models/gguf/model-shape.ts'
import { checkpointRoom, type Arrangement } from './memory-need.ts'
import { evaluatePrompt } from '../testing/evaluate-prompt.ts'
import { loadRandomModel } from '../testing/load-random-model.ts'
import { HYBRIDS, type Architecture } from '../testing/random-models.ts'

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
  const { native, path, release } = await loadRandomModel(architecture, 1, CONTEXT)
  onTestFinished(release)
  await evaluatePrompt(native, 'Paris Rome Oslo '.repeat(60))
  const taken = await native.checkpointing!.take(0)
  const planned = checkpointRoom(readModelShape(path), ONE_SLOT)
  taken.dispose()
  return { real: taken.bytes, planned }
}

describe('the memory that is planned for checkpoints', () => {
  it.each([...HYBRIDS, 'gemma3'] as const)('has room for several of a slot (%s)', async (architecture) => {
    const { real, planned } = await measure(architecture)
    expect(planned).toBeGreaterThan(3 * (real - OTHER_BYTES))
    expect(planned).toBeLessThan(6 * real)
  })
})
