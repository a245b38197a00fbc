// Checks that a back end computes at all: drivers, kernels and damaged files can make it return nonsense without an error. It looks only at
// numbers, never at words, because a good back end computes an odd model correctly too.

import { EngineError } from '../../engine.ts'
import type { Native, NativeSampler, Token } from '../native/native.ts'
import { tokenPairs } from '../native/token-pairs.ts'

/** Long enough for the kernels that evaluate many tokens at once. */
const TOKENS = 32
/** The following tokens are evaluated one by one, with other kernels. */
const STEPS = 3
/** Natural logarithm. Kernels may add up in a different order each time, which changes far less than this. */
const TOLERANCE = 0.5
/** The share of the vocabulary's size. */
const ALL_EQUAL = 0.9999
const NO_NUMBERS = 'the results are not numbers'

export type Computing = Pick<Native, 'context' | 'vocabulary' | 'createSampler' | 'gpu'>

interface Drawn {
  token: Token
  logprob: number
}

/**
 * Throws an EngineError that says what is wrong and what to do. Uses slot 0 and leaves it empty, so call it before any job runs. A back end
 * can also crash at its first decode: to try one out, call this in a process that may die.
 */
export async function assertComputesSensibly(native: Computing): Promise<void> {
  const once = await writeGreedily(native)
  const again = await writeGreedily(native, once)
  const isSame = once.every(
    ({ logprob }, index) => Math.abs(logprob - (again[index]?.logprob ?? Number.NaN)) < TOLERANCE,
  )
  if (!isSame) throw nonsense(native, 'the same prompt gives different results')
}

/** Takes the likeliest tokens, or follows the `given` ones. */
async function writeGreedily(native: Computing, given: readonly Drawn[] = []): Promise<Drawn[]> {
  const sampler = native.createSampler()
  sampler.applyConfig({ temperature: 0 })
  const drawn: Drawn[] = []
  native.context.disposeSequence(0)
  try {
    let [tokens, position] = [somePrompt(native), 0]
    while (drawn.length <= STEPS) {
      const at = await evaluate(native, position, tokens)
      const next = await draw(native, sampler, at, given[drawn.length]?.token)
      drawn.push(next)
      position += tokens.length
      tokens = [next.token]
    }
    return drawn
  } finally {
    native.context.disposeSequence(0)
    sampler.dispose()
  }
}

function somePrompt({ vocabulary }: Computing): Token[] {
  const words = vocabulary.tokenize('The quick brown fox jumps over the lazy dog. '.repeat(TOKENS), false)
  const bos = vocabulary.addsBos && vocabulary.bos !== undefined ? [vocabulary.bos.token] : []
  return [...bos, ...words].slice(0, TOKENS)
}

async function evaluate(native: Computing, position: number, tokens: readonly Token[]): Promise<number> {
  const { context } = native
  context.initBatch(tokens.length)
  const wanted = Uint32Array.of(tokens.length - 1)
  const [at] = context.addToBatch(0, position, Uint32Array.from(tokens), wanted)
  await context.decodeBatch()
  if (at === undefined) throw nonsense(native, NO_NUMBERS)
  return at
}

/**
 * The weight is the sum of e^(logit - highest logit) over the vocabulary: one bad logit makes it
 * bad, and equal ones make it the vocabulary's size.
 */
async function draw(native: Computing, sampler: NativeSampler, at: number, given?: Token): Promise<Drawn> {
  const only: [Token[], false, false, true, 0] = [given === undefined ? [] : [given], false, false, true, 0]
  const [likeliest, , , flat, weight] = await native.context.sampleToken(at, sampler, false, false, only, true)
  // Then there are no logits either.
  if (likeliest < 0 || weight === undefined) throw nonsense(native, NO_NUMBERS)
  const logits = new Map(tokenPairs(flat))
  const { size } = native.vocabulary
  const highest = logits.get(likeliest)
  if (highest === undefined || !Number.isFinite(highest) || !Number.isFinite(weight)) throw nonsense(native, NO_NUMBERS)
  if (weight > size * ALL_EQUAL) throw nonsense(native, 'every token is equally likely')
  if (likeliest >= size) throw nonsense(native, 'the likeliest token is not in the vocabulary')
  const token = given ?? likeliest
  const logit = logits.get(token)
  if (logit === undefined) throw nonsense(native, NO_NUMBERS)
  return { token, logprob: logit - highest - Math.log(weight) }
}

function nonsense({ gpu }: Computing, why: string): EngineError {
  const remedy =
    gpu === false
      ? 'the model file may be damaged, so download it again'
      : 'update the driver of the GPU, or start with --gpu off'
  return new EngineError('failed', `The ${gpu === false ? 'CPU' : gpu} back end computes nonsense: ${why}; ${remedy}`)
}
