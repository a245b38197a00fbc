import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Clock } from '../time/clock.ts'
import { proveService } from './prove-service.ts'

it('tells of every answer, and of silence only after three requests without one', async () => {
  const told: string[] = []
  const due: (() => void)[] = []
  const clock: Clock = { now: () => 0, after: (_ms, act) => (due.push(act), () => undefined) }
  let isAnswered = true
  const ask = () => (isAnswered ? Promise.resolve() : Promise.reject(new Error('no answer')))
  proveService(ask, { onProof: () => told.push('proof'), onSilence: () => told.push('silence'), clock })
  for (const next of [true, false, false, true, false, false, false]) {
    isAnswered = next
    due.shift()!()
    await turn()
  }
  expect(told).toEqual(['proof', 'proof', 'silence'])
})
