// What a peer may make a gateway keep with messages that are well-formed.

import { expect, it } from 'vitest'
import { RateLimiter } from '../access/limits/rate-limit.ts'
import { PeerQuestions } from './view/peer-questions.ts'
import { encodeHeartbeat, readHeartbeat } from './peers/heartbeat.ts'
import { Liveness } from './peers/core/liveness.ts'
import { TIMING } from './peers/core/timing.ts'
import { VirtualClock } from './simulator/virtual-clock.ts'
import { recordedGateways } from './testing/recorded-gateways.ts'
import { ServedModels } from './view/served-models.ts'
import { Changes } from './view/changes.ts'

const BEAT = { id: 'x', number: 1, sequence: 1, acknowledged: 0, newest: 0, vouches: [], claims: [] }

it('has its questions answered a thousand at a time', async () => {
  const gate = Promise.withResolvers<void>()
  let asked = 0
  const answer = async () => {
    asked += 1
    await gate.promise
    return { kind: 'waiting', jobs: [], forecasts: [] } as const
  }
  const questions = new PeerQuestions({ gateways: recordedGateways(), send: () => {}, answer })
  const ask = (id: number) => questions.asked('peer', id, { kind: 'waiting', key: 'k' })
  const all = Array.from({ length: 3_000 }, (_, id) => ask(id))
  expect(asked).toBe(1_000)
  gate.resolve()
  await Promise.all(all)
  await ask(1)
  expect(asked).toBe(1_001)
})

it('watches ten thousand organizations', () => {
  let told = 0
  const here = { statsOf: () => undefined, hasView: () => true, others: () => [], compareMs: 1_000 }
  const changes = new Changes({ ...here, clock: new VirtualClock().asClock(), send: () => (told += 1) })
  for (let index = 0; index < 20_000; index++) changes.watched('peer', `o${index}`)
  expect(told).toBe(2 * 10_000)
})

it('names a hundred thousand organizations with models', () => {
  const served = new ServedModels()
  for (let index = 0; index < 120_000; index++) served.note('peer', `o${index}`, ['m'])
  expect(served.list()).toHaveLength(100_000)
})

it('names two hundred thousand keys that this gateway does not know', () => {
  const limiter = new RateLimiter()
  const count = { limits: { requestsPerMinute: 1 }, requests: 1, tokens: 0, jobs: 1 }
  for (let index = 0; index < 220_000; index++) limiter.addElsewhere('peer', { key: `k${index}`, ...count }, 0)
  expect(limiter.describe('k199999')).toBeDefined()
  expect(limiter.describe('k200000')).toBeUndefined()
})

it('is heard under a thousand numbers, and with short heartbeats only', () => {
  const hearing = new Liveness(TIMING)
  for (let number = 0; number < 5_000; number++) hearing.hear({ ...BEAT, number }, 0)
  const known = Array.from({ length: 5_000 }, (_, number) => number).filter((number) => hearing.last(number))
  expect(known).toHaveLength(1_024)
  const vouches = Array.from({ length: 257 }, (_, number): [number, number] => [number, 1])
  expect(readHeartbeat(encodeHeartbeat({ ...BEAT, vouches }))).toBeUndefined()
  expect(readHeartbeat(encodeHeartbeat({ ...BEAT, vouches: vouches.slice(1) }))).toBeDefined()
  expect(readHeartbeat(encodeHeartbeat({ ...BEAT, id: 'x'.repeat(130) }))).toBeUndefined()
})
