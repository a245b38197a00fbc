// Each kind of lie that a gateway may tell, against hearth-seal's own proxy: no word reaches the gateway, and the client shows an error.

import { afterAll, describe, expect, it } from 'vitest'
import { CANARIES, startLiarWorld, WORDS, type Outcome } from './liar-world.ts'
import { ANSWER_LIES, HARMLESS, REPLY_LIES, SEAL_LIES } from './lies.ts'

const world = await startLiarWorld()
afterAll(async () => world[Symbol.asyncDispose]())

const KINDS = ['stream', 'whole'] as const
const TEXT = WORDS.join('')
const COMPLETE = { status: 200, text: TEXT, outcome: 'complete', error: undefined, read: [], jobs: 1 }

/** An error, after a true beginning at most. */
function expectError({ text, outcome, status, error, read }: Outcome, kind: (typeof KINDS)[number]): void {
  expect(outcome).toBe('error')
  expect(error).toBeDefined()
  expect(TEXT.startsWith(text)).toBe(true)
  if (kind === 'whole' || text === '') expect(status).toBeGreaterThanOrEqual(400)
  if (kind === 'whole') expect(text).toBe('')
  expect(read).toStrictEqual([])
}

describe('a gateway that tells the truth', () => {
  it.each(KINDS)('passes on what the device says: %s', async (kind) => {
    expect(await world.ask(kind)).toStrictEqual(COMPLETE)
  })
})

describe('a client that has never seen the newest list', () => {
  it('believes an old one, so that this test notices a gateway with the key of a device that was revoked', async () => {
    await using fresh = await startLiarWorld()
    const old = SEAL_LIES['serves an old list']
    expect((await fresh.ask('stream', old && { seal: old })).read).toStrictEqual(CANARIES)
  })
})

describe.each(Object.entries(SEAL_LIES))('a gateway that %s', (_, seal) => {
  it.each(KINDS)('gets nothing, and the client an error: %s', async (kind) => {
    const outcome = await world.ask(kind, { seal }, true)
    expectError(outcome, kind)
    expect(outcome.jobs).toBe(0)
  })
})

describe.each(Object.entries(REPLY_LIES))('a gateway that %s', (_, reply) => {
  it.each(KINDS)('shows the client nothing that the device did not write: %s', async (kind) => {
    expectError(await world.ask(kind, { reply }, true), kind)
  })
})

describe.each(Object.entries(HARMLESS))('a gateway that %s', (_, reply) => {
  it.each(KINDS)("shows the client the device's whole text: %s", async (kind) => {
    expect(await world.ask(kind, { reply })).toStrictEqual(COMPLETE)
  })
})

describe.each(Object.entries(ANSWER_LIES))('a gateway that %s', (_, answer) => {
  it.each(KINDS)('is not believed: %s', async (kind) => {
    expectError(await world.ask(kind, { answer }), kind)
  })
})
