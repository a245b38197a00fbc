import { expect, it } from 'vitest'
import { createInput } from './create-input.ts'
import { FuzzSystem } from './fuzz-system.ts'
import { fuzz } from './fuzz.ts'

const INPUTS = 5_000
const SEED = 12

it(`${INPUTS} random requests and frames harm neither the gateway nor a bystander`, async () => {
  let sent = 0
  const start = () => FuzzSystem.start()
  const failure = await fuzz({ start, seed: SEED, inputs: INPUTS, minutes: Infinity, onProgress: () => (sent += 1) })
  expect(failure).toBeUndefined()
  expect(sent).toBe(INPUTS)
})

it('the same seed gives the same inputs', () => {
  const some = (seed: number) =>
    Array.from({ length: 50 }, (_, index) =>
      createInput(seed, index, { routes: [{ method: 'GET', path: '/x', query: [] }] }),
    )
  expect(some(1)).toStrictEqual(some(1))
  expect(some(1)).not.toStrictEqual(some(2))
})
