import { expect, it } from 'vitest'
import { fuzz } from '../fuzz.ts'
import { SealedTarget } from './sealed-target.ts'

const INPUTS = 150
const SEED = 31

it(`a gateway that lies at random reads nothing, and no client believes it: ${INPUTS} times`, async () => {
  let outcomes: ReadonlyMap<string, number> = new Map()
  const failure = await fuzz({
    start: () => SealedTarget.start(),
    seed: SEED,
    inputs: INPUTS,
    minutes: Infinity,
    onProgress: (_, seen) => (outcomes = seen),
  })
  expect(failure).toBeUndefined()
  // Otherwise it proved nothing.
  for (const kind of ['complete', 'error']) expect(outcomes.get(kind)).toBeGreaterThan(0)
})
