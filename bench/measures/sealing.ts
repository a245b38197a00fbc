// How long it takes to seal and open requests and events, without a gateway in between.

import { EMPTY_TRANSCRIPT, EventOpener, EventSealer, newAgreementKey, openJob, sealJob } from '@hearth/sealing'
import type { Measure } from '../measure.ts'
import { percentile } from '../percentile.ts'
import type { Row } from '../report.ts'

const EVENTS = 5_000
const MICROS_PER_EVENT = 20

const HEADER = {
  version: 1,
  organization: 'bench',
  id: Buffer.alloc(16).toString('base64url'),
  sealedAt: 0,
  model: 'bench',
  features: ['sealed'],
  stream: true,
  choices: 1,
  promptTokens: 1_024,
} as const
/** A prompt of about a thousand tokens. */
const JOB = JSON.stringify({ messages: [{ role: 'user', content: 'word '.repeat(800) }] })
const EVENT = JSON.stringify({ type: 'job-delta', choice: 0, text: ' word', tokens: 1, ids: [12_345] })

const keys = Array.from({ length: 64 }, newAgreementKey)

export const sealing: Measure = {
  name: 'sealing',
  async run({ isQuick }) {
    const times = isQuick ? 30 : 200
    const rows: Row[] = []
    for (const count of [1, 8, 64]) rows.push(await sealFor(count, times))
    rows.push(await open(times))
    rows.push(...(await events(isQuick ? 5 : 20)))
    return rows
  },
}

async function sealFor(count: number, times: number): Promise<Row> {
  const ms = await waitingTime(times, () => seal(count))
  return {
    what: `seal a request for ${count} ${count === 1 ? 'device' : 'devices'}`,
    figures: { hearth: `${ms.toFixed(2)} ms` },
  }
}

async function open(times: number): Promise<Row> {
  const { body } = await seal(1)
  const privateKey = keys[0]!.privateKey
  const ms = await waitingTime(times, () => openJob({ sealed: body, device: '0', privateKey }))
  return { what: 'open a request on the device', figures: { hearth: `${ms.toFixed(2)} ms` } }
}

/** With the base64 of a frame. In the first rounds the code is not compiled yet, which the median leaves out. */
async function events(rounds: number): Promise<Row[]> {
  const { contentKey } = await seal(1)
  const [sealed, opened]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const sealer = new EventSealer(contentKey, round, EMPTY_TRANSCRIPT)
    const boxes: string[] = []
    sealed.push(cpuPerEvent(() => boxes.push(sealer.seal(Buffer.from(EVENT)).toString('base64'))))
    const opener = new EventOpener(contentKey)
    opened.push(cpuPerEvent((sequence) => opener.open({ attempt: round, sequence, box: boxes[sequence]! })))
  }
  return [eventRow('seal an event on the device', sealed), eventRow('open an event on the client', opened)]
}

function eventRow(what: string, micros: number[]): Row {
  const value = percentile(micros, 0.5)
  const bars = [{ unit: 'µs of CPU', value, most: MICROS_PER_EVENT }]
  return { what, figures: { hearth: `${value.toFixed(1)} µs` }, bars }
}

function seal(count: number) {
  const devices = keys.slice(0, count).map(({ publicKey }, index) => ({ id: `${index}`, key: publicKey }))
  return sealJob({ header: HEADER, job: JOB, devices })
}

/** The median, in milliseconds. */
async function waitingTime(times: number, act: () => Promise<unknown>): Promise<number> {
  const found: number[] = []
  for (let round = 0; round < times; round++) {
    const began = performance.now()
    await act()
    found.push(performance.now() - began)
  }
  return percentile(found, 0.5)
}

/** In microseconds. */
function cpuPerEvent(act: (sequence: number) => unknown): number {
  const before = process.cpuUsage()
  for (let sequence = 0; sequence < EVENTS; sequence++) act(sequence)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / EVENTS
}
