// One input of the fuzzer for sealed requests. Keys and boxes are new in every run, so an input is the seed of all that the gateway decides:
// sent again, it lies in the same way about other bytes.

import { randomOf } from '../../harness/random-of.ts'

export type SealedInput = ToClient | ToDevice

/** A gateway answers hearth-seal, with an honest device behind it. */
export interface ToClient {
  kind: 'to-client'
  seed: number
  reply: 'stream' | 'whole'
  liesAbout: 'nothing' | 'seal' | 'reply' | 'http' | 'everything'
  /** It has the boxes of another job of the same client. */
  hasOther: boolean
}

/** A gateway sends jobs of an honest client to devices. */
export interface ToDevice {
  kind: 'to-device'
  seed: number
  steps: number
}

const LIES = ['nothing', 'seal', 'reply', 'reply', 'reply', 'http', 'everything'] as const

export function createSealedInput(seed: number, index: number): SealedInput {
  const random = randomOf(seed, index)
  if (random.chance(0.4)) return { kind: 'to-device', seed: random.bits(), steps: random.between(5, 40) }
  return {
    kind: 'to-client',
    seed: random.bits(),
    reply: random.pick(['stream', 'whole'] as const),
    liesAbout: random.pick(LIES),
    hasOther: random.chance(0.4),
  }
}
