import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { parseDeviceFrames, type ChatJob, type DeviceFrame } from '@hearth/protocol'
import { EventOpener, newAgreementKey, sealJob } from '@hearth/sealing'
import { exampleHeader } from '@hearth/sealing/testing/examples'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import type { JobPlan } from './job-plan.ts'
import { numberedText } from './numbered-text.ts'
import { ScriptedDevice } from './scripted-device.ts'

const KEY = newAgreementKey()
const REQUEST: ChatJob = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

describe('the scripted device', () => {
  let server: WebSocketServer
  let link: WebSocket
  let device: ScriptedDevice
  let heard: DeviceFrame[]

  beforeEach(async () => {
    heard = []
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    server.on('connection', (socket) => {
      link = socket
      socket.on('message', (data: Buffer) => parseDeviceFrames(data.toString(), (frame) => heard.push(frame)))
      say({ type: 'welcome', protocol: 1, device: 'd', organization: 'o', pingBusyMs: 5000, pingIdleMs: 15_000 })
    })
    const gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    device = await ScriptedDevice.connect({ gateway, credential: 'c', models: ['m'], sealKey: KEY })
  })

  afterEach(async () => {
    await device[Symbol.asyncDispose]()
    server.close()
  })

  function say(frame: object): void {
    link.send(JSON.stringify(frame))
  }

  async function offer(plan: JobPlan, request: ChatJob = REQUEST) {
    device.plan = plan
    say({ type: 'job-start', job: 'j', attempt: 1, organization: 'o', request })
    return device.job(0)
  }

  /** After the pong, the device has responded to everything sent before the ping. */
  async function settled(): Promise<DeviceFrame[]> {
    say({ type: 'ping' })
    while (!heard.some((frame) => frame.type === 'pong')) await once(link, 'message')
    return heard
  }

  it('announces what it serves', async () => {
    await settled()
    expect(heard[0]).toMatchObject({ type: 'hello', protocols: [1], models: [{ name: 'm', features: ['sealed'] }] })
  })

  it('does not begin a job that is offered and canceled in one message', async () => {
    const name = { job: 'j', attempt: 1 }
    const offered = { type: 'job-start', ...name, organization: 'o', request: REQUEST }
    link.send(JSON.stringify([offered, { type: 'job-cancel', ...name, reason: 'client-gone' }]))
    const frames = await settled()
    expect(frames.map(({ type }) => type)).toStrictEqual(['hello', 'job-cancelled', 'pong'])
    expect((await device.job(0)).state).toBe('cancelled')
  })

  it('answers with numbered tokens, numbered frames and a token count', async () => {
    const job = await offer({ tokens: 3, progress: ['prompt'] })
    await device.until('the job ended', () => job.state === 'ended')
    await settled()
    expect(heard.map((frame) => frame.type)).toStrictEqual([
      'hello',
      'job-accept',
      'job-progress',
      'job-delta',
      'job-delta',
      'job-delta',
      'job-end',
      'pong',
    ])
    const deltas = heard.filter((frame) => frame.type === 'job-delta')
    expect(deltas.map((delta) => delta.text).join('')).toBe(numberedText(3))
    expect(deltas.map((delta) => delta.sequence)).toStrictEqual([0, 1, 2])
    expect(heard.at(-2)).toMatchObject({ sequence: 3, finishes: ['stop'], usage: { completionTokens: 3 } })
  })

  it('keeps the stop sequence and respects the token limit', async () => {
    const job = await offer({ tokens: 9 }, { ...REQUEST, stop: ['2 t'] })
    await device.until('the job ended', () => job.state === 'ended')
    await settled()
    const text = heard.flatMap((frame) => (frame.type === 'job-delta' ? [frame.text] : [])).join('')
    expect(text).toBe('t0 t1 t2 t')
  })

  it('waits where the plan stalls, and confirms a cancellation there', async () => {
    const job = await offer({ stall: { at: 2, until: new Promise(() => {}) } })
    await device.until('two tokens were sent', () => job.sent === 2)
    say({ type: 'job-cancel', job: 'j', attempt: 1, reason: 'client-gone' })
    await device.until('the job was cancelled', () => job.state === 'cancelled')
    await settled()
    expect(heard.at(-2)).toMatchObject({ type: 'job-cancelled', job: 'j' })
    expect(job.cancels).toStrictEqual(['client-gone'])
  })

  it('reads a request that arrives in parts', async () => {
    const text = JSON.stringify(REQUEST)
    say({ type: 'job-start', job: 'j', attempt: 1, organization: 'o', parts: 2 })
    say({ type: 'job-part', job: 'j', attempt: 1, index: 0, text: text.slice(0, 9) })
    say({ type: 'job-part', job: 'j', attempt: 1, index: 1, text: text.slice(9) })
    expect((await device.job(0)).request).toStrictEqual(REQUEST)
  })

  it('opens a sealed request, and seals everything that its answer says', async () => {
    const { body, contentKey } = await sealJob({
      header: exampleHeader(),
      job: JSON.stringify(REQUEST),
      devices: [{ id: 'd', key: KEY.publicKey }],
    })
    device.plan = { tokens: 2, finish: 'length' }
    const request = { sealed: body, model: 'm' }
    say({ type: 'job-start', job: 'j', attempt: 1, organization: 'o', request })
    const job = await device.job(0)
    await device.until('the job ended', () => job.state === 'ended')
    await settled()
    expect(job.request).toStrictEqual(REQUEST)
    const opener = new EventOpener(contentKey)
    const opened = heard.flatMap((frame) => {
      if (frame.type !== 'job-sealed' && frame.type !== 'job-end') return []
      const event = opener.open({ ...frame, box: frame.box ?? '' })
      return [event.kind === 'opened' ? (JSON.parse(event.plain.toString()) as object) : event]
    })
    expect(opened).toMatchObject([{ text: 't0' }, { text: ' t1' }, { type: 'job-end', finishes: ['length'] }])
    expect(JSON.stringify(heard)).not.toContain('"text"')
  })

  it('crashes without a close frame', async () => {
    await offer({ crashAt: 1 })
    expect(await device.closed).toMatchObject({ code: 1006 })
  })
})
