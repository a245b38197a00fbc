import { describe, expect, it, onTestFinished } from 'vitest'
import type { Native } from '../native/native.ts'
import { placeRandomLlama, type RandomLlama } from '../testing/random-llama.ts'
import { replacing } from '../testing/replacing.ts'
import { loadTinyModel } from '../testing/tiny-model.ts'
import { assertComputesSensibly } from './computes-sensibly.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const tiny = await useTinyModel({ slots: 1, contextLength: 256 })
const SIZE = tiny.vocabulary.size

async function loadRandom(model: RandomLlama): Promise<Native> {
  const path = placeRandomLlama(model)
  const native = await loadTinyModel({ path, slots: 1, contextLength: 256 })
  onTestFinished(() => native.dispose())
  return native
}

/** The tiny model on a back end that changes what it computes. */
function disturbed(
  change: (result: [number, undefined, undefined, number[], number | undefined], call: number) => unknown,
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
  it('accepts a model whatever it writes', async () => {
    await assertComputesSensibly(tiny)
    await assertComputesSensibly(await loadRandom({ seed: 4 }))
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('rejects results that become %d', async (broken) => {
    const native = await loadRandom({ broken })
    await expect(assertComputesSensibly(native)).rejects.toMatchObject({
      code: 'failed',
      message:
        'The CPU back end computes nonsense: the results are not numbers; the model file may be damaged, so download it again',
    })
  })

  it.each<[string, Parameters<typeof disturbed>[0], RegExp]>([
    ['results that are all equal', (result) => (result[4] = SIZE), /every token is equally likely/],
    [
      'a token that the model doesn’t have',
      (result) => ([result[0], result[3]] = [SIZE, [SIZE, 1]]),
      /not in the vocabulary/,
    ],
    [
      'results that change when they are repeated',
      (result, call) => (result[4]! *= call < 4 ? 1 : 3),
      /the same prompt gives different results/,
    ],
  ])('rejects %s', async (_, change, message) => {
    await expect(assertComputesSensibly(disturbed(change))).rejects.toThrow(message)
  })

  it('names the GPU and its remedies', async () => {
    const native = { ...disturbed((result) => (result[4] = Number.NaN)), gpu: 'vulkan' as const }
    await expect(assertComputesSensibly(native)).rejects.toThrow(
      'The vulkan back end computes nonsense: the results are not numbers; update the driver of the GPU, or start with --gpu off',
    )
  })
})
