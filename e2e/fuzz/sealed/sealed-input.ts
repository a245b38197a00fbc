// One input of the fuzzer for sealed requests: a gateway answers hearth-seal, with an honest device behind it. Keys and boxes are new in every
// run, so an input is the seed of all that the gateway decides: sent again, it lies in the same way about other bytes.

import { randomOf } from '../../harness/random-of.ts'

export interface SealedInput {
  seed: number
  reply: 'stream' | 'whole'
  liesAbout: 'nothing' | 'seal' | 'reply' | 'http' | 'everything'
  /** It has the boxes of another job of the same client. */
  hasOther: boolean
}

const LIES = ['nothing', 'seal', 'reply', 'reply', 'reply', 'http', 'everything'] as const

export function createSealedInput(seed: number, index: number): SealedInput {
  const random = randomOf(seed, index)
  return {
    seed: random.bits(),
    reply: random.pick(['stream', 'whole'] as const),
    liesAbout: random.pick(LIES),
    hasOther: random.chance(0.4),
  }
}
