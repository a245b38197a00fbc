import { describe, expect, it } from 'vitest'
import type { JobRecord } from '../fleet/fleet.ts'
import type { UsageRow } from '../store/store.ts'
import { UsageLedger } from './usage-ledger.ts'

const HOUR = 3_600_000

function record(fields: Partial<JobRecord> = {}): JobRecord {
  const ticket = {
    job: 'j',
    organization: 'o',
    key: 'k',
    model: 'm',
    features: [],
    rerunnable: true,
    cost: 1,
    promptSize: 1,
    prefixes: [],
  }
  return {
    ticket,
    outcome: { kind: 'ended' },
    device: 'd',
    tokens: { prompt: 2, completion: 3 },
    waitMs: 4,
    firstEventMs: 5,
    totalMs: 6,
    ...fields,
  }
}

function open() {
  const written: UsageRow[][] = []
  const state = { isDown: false }
  const store = {
    async addUsage(rows: readonly UsageRow[]) {
      if (state.isDown) throw new Error('down')
      written.push([...rows])
    },
    async touchKeys() {},
  }
  return { written, state, ledger: new UsageLedger(store, 60_000, () => undefined) }
}

describe('the usage ledger', () => {
  it('[O7] adds up per hour, key, model and device, and writes one batch', async () => {
    const { ledger, written } = open()
    ledger.add(record(), HOUR + 1)
    ledger.add(record({ outcome: { kind: 'device-lost' }, tokens: { prompt: 0, completion: 0 } }), HOUR + 2)
    ledger.add(record(), 2 * HOUR)
    await ledger.close()
    expect(written).toEqual([
      [
        {
          hour: new Date(HOUR),
          organization: 'o',
          key: 'k',
          model: 'm',
          device: 'd',
          requests: 2,
          errors: 1,
          promptTokens: 2,
          completionTokens: 3,
          waitMs: 8,
        },
        {
          hour: new Date(2 * HOUR),
          organization: 'o',
          key: 'k',
          model: 'm',
          device: 'd',
          requests: 1,
          errors: 0,
          promptTokens: 2,
          completionTokens: 3,
          waitMs: 4,
        },
      ],
    ])
  })

  it('[O7b] keeps usage that could not be written, and writes it later, once', async () => {
    const { ledger, written, state } = open()
    state.isDown = true
    ledger.add(record(), HOUR)
    await ledger.flush()
    state.isDown = false
    ledger.add(record(), HOUR)
    await ledger.close()
    await ledger.flush()
    expect(written.map((rows) => rows.map(({ requests }) => requests))).toEqual([[2]])
  })

  it('[O7c] counts a request whose client left as a request, not as an error', async () => {
    const { ledger, written } = open()
    ledger.add(record({ outcome: { kind: 'cancelled' } }), HOUR)
    await ledger.close()
    expect(written[0]).toMatchObject([{ requests: 1, errors: 0 }])
  })

  it('[O7a] counts the tokens of jobs that were cancelled or failed', async () => {
    const { ledger, written } = open()
    ledger.add(record({ outcome: { kind: 'cancelled' } }), HOUR)
    ledger.add(record({ outcome: { kind: 'device-lost' } }), HOUR)
    await ledger.close()
    expect(written[0]).toMatchObject([{ requests: 2, errors: 1, promptTokens: 4, completionTokens: 6 }])
  })
})
