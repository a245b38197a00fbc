import { appendFileSync, mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { aRecord } from '../testing/job-record.ts'
import { UsageWorld } from '../testing/usage-world.ts'
import type { Store } from '../store/store.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import { openUsageLedger } from './open-usage-ledger.ts'
import type { UsageLedger } from './usage-ledger.ts'

const HOUR = 3_600_000

/** Their clients have the ends of their replies when it resolves. */
async function addMany(ledger: UsageLedger, count: number): Promise<void> {
  for (let index = 0; index < count; index++) ledger.add(aRecord(), HOUR + index)
  await areSafe(ledger)
}

function areSafe(ledger: UsageLedger): Promise<void> {
  return new Promise((resolve) => ledger.whenSafe(resolve))
}

let world: UsageWorld
beforeEach(() => {
  world = new UsageWorld()
})
afterEach(() => world.remove())

describe('the usage ledger', () => {
  it('adds up per hour, key, model and device, and writes one batch', async () => {
    const ledger = await world.open()
    ledger.add(aRecord(), HOUR + 1)
    ledger.add(aRecord({ outcome: { kind: 'device-lost' }, tokens: { prompt: 0, completion: 0 } }), HOUR + 2)
    ledger.add(aRecord(), 2 * HOUR)
    await ledger.close()
    const where = { organization: 'acme', key: 'k', model: 'm', device: 'd' }
    const times = expect.any(Array)
    const [first, second] = [{ hour: new Date(HOUR) }, { hour: new Date(2 * HOUR) }]
    const tokens = { promptTokens: 2, completionTokens: 3 }
    expect(world.batches).toEqual([
      [
        { ...where, ...first, ...tokens, requests: 2, errors: 1, waitMs: 8, busyMs: 4, times },
        { ...where, ...second, ...tokens, requests: 1, errors: 0, waitMs: 4, busyMs: 2, times },
      ],
    ])
    expect(world.keyUses).toEqual([`k ${2 * HOUR}`])
  })

  it('passes on each request with how it ended and which device was left, also after a crash', async () => {
    const ledger = await world.open()
    ledger.add(aRecord({ takeOver: { left: 'attic', gapMs: 900.4 } }), HOUR)
    ledger.add(
      aRecord({ outcome: { kind: 'no-device' }, device: undefined, firstEventMs: undefined, attempts: 0 }),
      HOUR,
    )
    ledger.add(aRecord({ outcome: { kind: 'cancelled' } }), HOUR)
    await areSafe(ledger)
    world.crash()
    await world.open()
    const times = { waitMs: 4, firstTokenMs: 5, totalMs: 6, attempts: 1, isStream: true }
    const [answered, failed, left] = world.details.flatMap(({ requests }) => requests)
    expect(answered).toMatchObject({
      at: new Date(HOUR),
      request: 'j',
      device: 'd',
      code: '',
      promptTokens: 2,
      takeOver: { left: 'attic', gapMs: 900 },
      ...times,
    })
    expect(failed).toMatchObject({ device: '', code: 'model_unavailable', firstTokenMs: undefined, attempts: 0 })
    expect(left).toMatchObject({ code: 'canceled' })
    expect(world.details.flatMap(({ codes }) => codes)).toMatchObject([{ code: 'model_unavailable', requests: 1 }])
  })

  it('counts requests that were rejected, by their code, and as errors only if the service failed', async () => {
    const ledger = await world.open()
    const rejected = { request: 'r', organization: 'o', key: 'k', model: '' }
    for (let count = 0; count < 10; count++) ledger.addRejected({ ...rejected, code: 'model_not_found' }, HOUR)
    for (const code of ['invalid_json', 'service_unavailable']) ledger.addRejected({ ...rejected, code }, HOUR)
    await ledger.close()
    expect(world.batches).toMatchObject([[{ key: 'k', model: '', device: '', requests: 12, errors: 1 }]])
    expect(world.details[0]?.codes).toMatchObject([
      { code: 'model_not_found', requests: 10 },
      { code: 'invalid_json', requests: 1 },
      { code: 'service_unavailable', requests: 1 },
    ])
  })

  it('passes on the newest 5,000 requests if there are more, and counts all of them', async () => {
    const ledger = await world.open()
    for (let index = 0; index < 5_003; index++) ledger.add(aRecord({ totalMs: index }), HOUR)
    await ledger.close()
    const { requests } = world.details[0]!
    expect([requests.length, requests[0]?.totalMs, requests.at(-1)?.totalMs]).toEqual([5_000, 3, 5_002])
    expect(world.requests).toBe(5_003)
  })

  it('reads the journal of a gateway that kept no list of requests', async () => {
    await world.open()
    world.crash()
    appendFileSync(join(world.folder, world.files()[0]!), `${JSON.stringify([HOUR, 'o', 'k', 'm', 'd', 1, 2, 3, 4])}\n`)
    await world.open()
    expect(world.batches).toMatchObject([[{ requests: 1, errors: 1, promptTokens: 2, completionTokens: 3, waitMs: 4 }]])
    expect(world.details[0]?.requests).toEqual([])
  })

  it('counts a batch once if the store added it but could not say so', async () => {
    const ledger = await world.open()
    world.afterCommit = () => Promise.reject(new Error('connection lost'))
    ledger.add(aRecord(), HOUR)
    await ledger.flush()
    ledger.add(aRecord(), HOUR)
    world.afterCommit = () => Promise.resolve()
    await ledger.close()
    expect(world.requests).toBe(2)
  })

  it('counts the tokens of jobs that were cancelled or failed', async () => {
    const ledger = await world.open()
    ledger.add(aRecord({ outcome: { kind: 'cancelled' } }), HOUR)
    ledger.add(aRecord({ outcome: { kind: 'device-lost' } }), HOUR)
    await ledger.close()
    expect(world.batches[0]).toMatchObject([{ requests: 2, errors: 1, promptTokens: 4, completionTokens: 6 }])
  })

  it('writes what a process that ended had counted, with the times at which it was counted', async () => {
    await addMany(await world.open(), 20)
    world.crash()
    const next = await world.open()
    expect(world.batches).toMatchObject([[{ hour: new Date(HOUR), requests: 20, promptTokens: 40 }]])
    expect(world.keyUses).toEqual([`k ${HOUR + 19}`])
    await next.close()
    expect([world.requests, world.added.size, readdirSync(world.folder)]).toEqual([20, 0, []])
  })

  it('writes what was counted while the store was out of reach, even if the process ends before it is back', async () => {
    const ledger = await world.open()
    world.beforeCommit = () => Promise.reject(new Error('down'))
    for (let flush = 0; flush < 3; flush++) {
      await addMany(ledger, 5)
      await ledger.flush()
    }
    world.crash()
    const next = await world.open()
    await addMany(next, 5)
    world.beforeCommit = () => Promise.resolve()
    await next.flush()
    expect(world.requests).toBe(20)
  })

  it('counts nothing twice if the process ends after the store added a batch and before the journal forgot it', async () => {
    const ledger = await world.open()
    await addMany(ledger, 7)
    world.afterCommit = () => Promise.resolve(world.crash())
    await ledger.flush()
    world.afterCommit = () => Promise.resolve()
    expect(world.text()).not.toBe('')
    const next = await world.open()
    await next.close()
    expect([world.requests, readdirSync(world.folder)]).toEqual([7, []])
  })

  it('counts nothing twice if taking over a journal is itself interrupted', async () => {
    const ledger = await world.open()
    world.beforeCommit = () => Promise.reject(new Error('down'))
    await addMany(ledger, 3)
    await ledger.flush()
    await addMany(ledger, 4)
    world.crash()
    world.beforeCommit = () => Promise.resolve()
    world.afterCommit = () => (world.crash(), Promise.reject(new Error('ended')))
    await world.open()
    await world.open()
    world.afterCommit = () => Promise.resolve()
    await (await world.open()).close()
    expect([world.requests, readdirSync(world.folder)]).toEqual([7, []])
  })

  it('reads everything but the damaged lines of a journal', async () => {
    await addMany(await world.open(), 2)
    world.crash()
    const [segment] = world.files()
    appendFileSync(
      join(world.folder, segment!),
      `\0\0\0\n${JSON.stringify([1, 'o'])}\n{}\n[${HOUR},"o","k","m","d",0,2,`,
    )
    await world.open()
    expect([world.requests, world.damagedLines]).toEqual([2, 4])
  })

  it('says in the log what a damaged journal has lost', async () => {
    await addMany(await world.open(), 2)
    world.crash()
    truncateSync(join(world.folder, world.files()[0]!), 100)
    const lines: Record<string, unknown>[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const ledger = await openUsageLedger({
      config: { ...readConfig({}), USAGE_JOURNAL: world.folder },
      store: world.store as unknown as Store,
      log: Object.assign(log, { writeFields: () => undefined }),
      metrics: {} as GatewayMetrics,
      onStoreError: () => undefined,
    })
    await ledger.close()
    expect(lines).toMatchObject([{ folder: world.folder, damagedLines: 1, msg: expect.stringContaining('is lost') }])
  })

  it('leaves the journal of a gateway that runs alone', async () => {
    const first = await world.open()
    await addMany(first, 3)
    const second = await world.open()
    await addMany(second, 4)
    await second.close()
    expect(world.requests).toBe(4)
    await first.close()
    expect([world.requests, readdirSync(world.folder)]).toEqual([7, []])
  })

  it('goes on counting when the journal cannot be written, says so once, and recovers', async () => {
    const ledger = await world.open()
    await addMany(ledger, 1)
    rmSync(world.folder, { recursive: true })
    for (let flush = 0; flush < 3; flush++) {
      await ledger.flush()
      await addMany(ledger, 2)
    }
    expect([world.requests, world.unprotected, world.troubles.length]).toEqual([5, 6, 1])
    mkdirSync(world.folder)
    await ledger.flush()
    await addMany(ledger, 1)
    expect([world.unprotected, world.files().length]).toEqual([6, 1])
    await ledger.close()
    expect(world.requests).toBe(8)
  })

  it('says which setting to change if the folder cannot be used', async () => {
    appendFileSync(join(world.folder, 'file'), '')
    world.folder = join(world.folder, 'file', 'journal')
    await expect(world.open()).rejects.toThrow(/cannot be written \(ENOTDIR\)\. Set USAGE_JOURNAL/)
  })
})
