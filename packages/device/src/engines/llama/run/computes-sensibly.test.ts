import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import type { Native } from '../native/native.ts'
import { writeRandomLlama, type RandomLlama } from '../testing/random-llama.ts'
import { replacing } from '../testing/replacing.ts'
import { loadTinyModel } from '../testing/tiny-model.ts'
import { assertComputesSensibly } from './computes-sensibly.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const tiny = await useTinyModel({ slots: 1, contextLength: 256 })

async function loadRandom(model: RandomLlama): Promise<Native> {
  const path = join(scratchFolder(), 'random.gguf')
  writeRandomLlama(path, model)
  const native = await loadTinyModel({ path, slots: 1, contextLength: 256 })
  onTestFinished(() => native.dispose())
  return native
}

/** The tiny model on a back end that changes what it computes. */
function disturbed(
  change: (result: [number, undefined, undefined, number[], number | undefined], call: number) => void,
) {
  let calls = 0
  const { context } = tiny
  const sampleToken = async (...args: Parameters<typeof context.sampleToken>) => {
    const result = await context.sampleToken(...args)
    change(result, calls++)
    return result
  }
  return { ...tiny, context: replacing(context, { sampleToken }) }
}

describe('assertComputesSensibly', () => {
  it('[U53] accepts a model whatever it writes', async () => {
    await assertComputesSensibly(tiny)
    await assertComputesSensibly(await loadRandom({ seed: 4 }))
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('[U53] rejects results that become %d', async (broken) => {
    const native = await loadRandom({ broken })
    await expect(assertComputesSensibly(native)).rejects.toMatchObject({
      code: 'failed',
      message:
        'The CPU back end computes nonsense: the results are not numbers; the model file may be damaged, so download it again',
    })
  })

  it('[U53] rejects results that are all equal', async () => {
    const native = disturbed((result) => void (result[4] = tiny.vocabulary.size))
    await expect(assertComputesSensibly(native)).rejects.toThrow(/every token is equally likely/)
  })

  it('[U53] rejects a token that the model doesn’t have', async () => {
    const native = disturbed((result) => {
      result[0] = tiny.vocabulary.size
      result[3] = [tiny.vocabulary.size, 1]
    })
    await expect(assertComputesSensibly(native)).rejects.toThrow(/not in the vocabulary/)
  })

  it('[U53] rejects results that change when they are repeated', async () => {
    const native = disturbed((result, call) => void (result[4]! *= call < 4 ? 1 : 3))
    await expect(assertComputesSensibly(native)).rejects.toThrow(/the same prompt gives different results/)
  })

  it('[U53] names the GPU and its remedies', async () => {
    const native = { ...disturbed((result) => void (result[4] = Number.NaN)), gpu: 'vulkan' as const }
    await expect(assertComputesSensibly(native)).rejects.toThrow(
      'The vulkan back end computes nonsense: the results are not numbers; update the driver of the GPU, or start with --gpu off',
    )
  })
})
