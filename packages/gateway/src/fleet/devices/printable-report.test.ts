import { readFileSync, readdirSync } from 'node:fs'
import { encodeFrame, parseDeviceFrames, ProtocolError, type DeviceFrame } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { ByteBudget } from '@hearth/chat'
import { JobStage } from '../testing/job-stage.ts'
import { realClock } from '../../time/clock.ts'
import { DeviceLink } from './device-link.ts'
import { printableReply } from './printable-report.ts'

const ODD = '\u001B[2J\u009B\u202E\u2066\u0007\u2028'
const ODD_CHARACTER = /\\u001b|\\u0007|[\u009B\u202E\u2066\u2028]/
const GOLDEN = new URL('../../../../protocol/src/fixtures/v1/', import.meta.url)
const HELLO: DeviceFrame = { type: 'hello', protocols: [1], app: '1', boot: 'b', engine: 'e', models: [] }

/** Their texts are the reply, which the client gets as the model wrote it. */
const CONTENT = new Set(['job-delta', 'job-calls', 'job-annotations'])

interface Golden {
  from: string
  examples: { wire: DeviceFrame }[]
}

/** Each copy has odd characters in another one of its texts. */
function* oddCopies(value: unknown): Generator {
  if (typeof value === 'string') yield value + ODD
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value))
    for (const odd of oddCopies(inner))
      yield Array.isArray(value) ? value.with(Number(name), odd) : { ...value, [name]: odd }
}

const examples = readdirSync(GOLDEN).flatMap((file) => {
  const golden: unknown = JSON.parse(readFileSync(new URL(file, GOLDEN), 'utf8'))
  const { from, examples: wires = [] } = golden as Partial<Golden>
  return from === 'device' ? wires.map(({ wire }) => wire) : []
})

/** Undefined for a copy that is not a frame any more, such as one with an unknown type. */
function readFrame(copy: unknown): DeviceFrame | undefined {
  let read: DeviceFrame | undefined
  try {
    parseDeviceFrames(JSON.stringify(copy), (frame) => (read = frame))
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
  }
  return read
}

const GIB = 1024 ** 3

/** Everything that the gateway keeps of a frame, or passes on to people. */
function keep(frame: DeviceFrame): string {
  const kept: unknown[] = []
  const note = (_link: unknown, ...said: unknown[]) => void kept.push(said)
  const listener = {
    greeted: note,
    modelsChanged: note,
    reportChanged: note,
    sharedChanged: note,
    draining: note,
    full: note,
    closed: note,
  }
  const socket = { bufferedBytes: 0, send: () => {}, close: () => {} }
  const link = new DeviceLink({ id: 'd', organization: 'o', name: 'n' }, 1, socket, {
    listener,
    hub: { jobFrame: note },
    budgets: { devices: new ByteBudget(GIB), reports: new ByteBudget(GIB) },
    clock: realClock,
  })
  if (frame.type !== 'hello') link.receive(encodeFrame(HELLO), 0)
  link.receive(encodeFrame(frame), 0)
  kept.push(link.state, link.report)
  // The contract shows that whoever waits for it gets this.
  if (frame.type === 'model-reply') kept.push(printableReply(frame))
  link.close(1000, 'over')
  return JSON.stringify(kept)
}

describe('texts of devices', () => {
  const types = [...new Set(examples.map(({ type }) => type))].filter((type) => !CONTENT.has(type))

  it.each(types)('lose control characters and direction marks wherever they are in a frame: %s', (type) => {
    const frames = examples.filter((frame) => frame.type === type)
    const odd = frames.flatMap((frame) => [...oddCopies(frame)]).flatMap((copy) => readFrame(copy) ?? [])
    for (const frame of odd) expect(keep(frame)).not.toMatch(ODD_CHARACTER)
  })

  it('lose them in the error of a job', () => {
    const stage = JobStage.waiting()
    const failure = { code: 'invalid_value', message: `bad${ODD}`, param: `x${ODD}`, retryable: false } as const
    stage.lease().say({ type: 'job-error', job: 'j', attempt: 1, crashed: false, ...failure })
    expect(JSON.stringify(stage.records)).toContain('bad[2J')
    expect(JSON.stringify(stage.records)).not.toMatch(ODD_CHARACTER)
  })

  it('leave out a model whose name has them, and keep the others', () => {
    const model = (name: string) => ({ name, contextLength: 1, slots: 1, features: [] })
    const kept = keep({ ...HELLO, models: [model('good'), model(`bad${ODD}`)] })
    expect(kept).toContain('good')
    expect(kept).not.toContain('bad')
  })
})
