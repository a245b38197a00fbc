// One distribution of the next token, for tests that draw from it.

import type { Native, SamplerConfig, Token } from '../native/native.ts'

/** Returns the place of the distribution after the prompt. */
export function evaluatePrompt(native: Native, text: string): Promise<number> {
  return evaluate(native, 0, native.vocabulary.tokenize(text, true))
}

/** The same after these tokens, which go to this position of the first slot. */
export async function evaluate({ context }: Native, position: number, tokens: readonly Token[]): Promise<number> {
  context.initBatch(tokens.length)
  const [at] = context.addToBatch(0, position, Uint32Array.from(tokens), Uint32Array.of(tokens.length - 1))
  await context.decodeBatch()
  return at!
}

/** All logits at that place, with the likeliest token first: the model's own, plus biases and penalties. */
export async function readLogits(
  native: Native,
  at: number,
  config: Omit<SamplerConfig, 'temperature'> = {},
): Promise<Map<Token, number>> {
  const sampler = native.createSampler()
  sampler.applyConfig({ temperature: 0, ...config })
  const [, , , flat] = await native.context.sampleToken(at, sampler, false, false, true, false)
  sampler.dispose()
  return new Map(Array.from({ length: flat.length / 2 }, (_, index) => [flat[index * 2]!, flat[index * 2 + 1]!]))
}
