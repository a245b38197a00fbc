// A gateway that lies to devices: it sends again what it has, to whom it likes.

import { describe, expect, it } from 'vitest'
import type { ChatEvent, ChatJob, DeviceFrame, SealedRequest } from '@hearth/protocol'
import { EventOpener, newAgreementKey } from '@hearth/sealing'
import { openOnDevice } from '@hearth/sealing/testing/sealing-device'
import { EngineError, type EngineJob } from '../../engines/engine.ts'
import { ECHO_MODEL } from '../../testing/echo-engine.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { beginRunner } from '../../testing/runner-bench.ts'
import { begunOf, SealedClient, type SealedFor } from '../../testing/sealed-client.ts'

const JOB: ChatJob = { model: 'echo', messages: [{ role: 'user', content: 'Sing' }] }
const MINUTE = 60_000
const DEVICE = { id: 'device-1', key: newAgreementKey() }
const MODEL = { ...ECHO_MODEL, features: [...ECHO_MODEL.features, 'resume' as const] }
const USAGE = { promptTokens: 1, completionTokens: 2 }

const client = (devices: readonly SealedFor[]) => new SealedClient(devices, () => createManualClock().date().getTime())

/** Says two words, of which each is an event of its own. `isLost`: it stops after them. */
function startDevice(device: SealedFor = DEVICE, { isLost = false } = {}) {
  const jobs: EngineJob[] = []
  async function* run(job: EngineJob): AsyncGenerator<ChatEvent> {
    jobs.push(job)
    for (const [id, text] of ['Tra ', 'la'].entries()) {
      yield { type: 'text', choice: 0, text, tokens: 1, ids: [id] }
      await bench.clock.wait(1_000, new AbortController().signal)
    }
    if (isLost) throw new EngineError('failed', 'lost', { retryable: true })
    yield { type: 'end', finishes: ['stop'], usage: USAGE }
  }
  const bench = beginRunner({ run, models: [MODEL], sealing: { device, client: client([]) }, isSealed: true })
  return { ...bench, jobs }
}

type Device = ReturnType<typeof startDevice>

async function seal(devices: readonly SealedFor[] = [DEVICE]): Promise<SealedRequest> {
  return { ...(await client(devices).seal('job-1', JOB)), recovery: {} }
}

/** Resolves when the device has said all that it has to say. */
async function offer({ offer, clock }: Device, request: SealedRequest, attempt = 0): Promise<void> {
  await offer(request, { attempt, job: `job-${crypto.randomUUID()}` })
  await clock.advance(5_000)
}

function boxesOf({ sent }: Device): string[] {
  return begunOf(sent).flatMap(({ boxes }) => boxes)
}

/** As the client opens them, one after the other. */
async function openAll({ sealed }: SealedRequest, boxes: readonly string[]): Promise<boolean[]> {
  const { contentKey } = await openOnDevice({ sealed, device: DEVICE.id, privateKey: DEVICE.key.privateKey })
  const opener = new EventOpener(contentKey)
  return boxes.map((box, sequence) => opener.open({ attempt: 0, sequence, box }).kind === 'opened')
}

function lastMessage({ sent }: Device): string | undefined {
  const last: DeviceFrame | undefined = sent.at(-1)
  return last?.type === 'job-error' ? last.message : undefined
}

describe('a request that the gateway sends again', () => {
  it('does not run when the device no longer remembers it, because it is too old by then', async () => {
    const device = startDevice()
    const request = await seal()
    await offer(device, request)
    await device.clock.advance(5 * MINUTE)
    await offer(device, request)
    expect(lastMessage(device)).toContain('sealed more than 5 minutes ago')
    expect(device.jobs).toHaveLength(1)
  })

  it('runs again if the app was restarted within five minutes, under another key', async () => {
    const [before, after] = [startDevice(), startDevice()]
    const request = await seal()
    for (const device of [before, after]) await offer(device, request)
    const [first, again] = [boxesOf(before), boxesOf(after)]
    expect([first.length, again.length]).toEqual([2, 2])
    expect(new Set([...first, ...again]).size).toBe(4)
    expect(await openAll(request, [...first.slice(0, 1), ...again.slice(1)])).toEqual([true, false])
  })
})

describe('one attempt that the gateway starts on two devices', () => {
  it('runs on both, and the client opens the events of one of them only', async () => {
    const other = { id: 'device-2', key: newAgreementKey() }
    const devices = [startDevice(), startDevice(other)] as const
    const request = await seal([DEVICE, other])
    for (const device of devices) await offer(device, request)
    const [first, second] = [boxesOf(devices[0]), boxesOf(devices[1])]
    expect(await openAll(request, first)).toEqual([true, true])
    expect(await openAll(request, second)).toEqual([true, true])
    expect(await openAll(request, [...first.slice(0, 1), ...second.slice(1)])).toEqual([true, false])
    expect(await openAll(request, [...second.slice(0, 1), ...first.slice(1)])).toEqual([true, false])
  })
})

describe('a device that is not approved', () => {
  const stranger = { id: 'device-3', key: newAgreementKey() }

  it.each<[string, (keys: SealedRequest['sealed']['keys']) => SealedRequest['sealed']['keys'], string]>([
    ['as it is', (keys) => keys, "wasn't sealed for this device"],
    ['under its name', (keys) => keys.map((key) => ({ ...key, device: stranger.id })), "can't open"],
  ])('runs nothing, whether the request comes %s', async (_, change, message) => {
    const device = startDevice(stranger)
    const { sealed, ...request } = await seal()
    await offer(device, { ...request, sealed: { ...sealed, keys: change(sealed.keys) } })
    expect(lastMessage(device)).toContain(message)
    expect(device.jobs).toEqual([])
  })
})

describe('a beginning that the gateway changed', () => {
  it('does not start a job, whether it is of another request or has another number', async () => {
    const lost = startDevice(DEVICE, { isLost: true })
    const [request, other] = [await seal(), await seal()]
    for (const each of [request, other]) await offer(lost, each)
    const [mine, others] = [boxesOf(lost).slice(0, 2), boxesOf(lost).slice(2)]
    const next = startDevice()
    const beginnings = [
      { attempt: 0, boxes: others },
      { attempt: 1, boxes: mine },
      { attempt: 0, boxes: [...mine.slice(0, 1), ...others.slice(1)] },
    ]
    for (const [index, begun] of beginnings.entries()) {
      await offer(next, { ...request, recovery: { begun: [begun] } }, index + 2)
      expect(lastMessage(next)).toBe("The device can't open the beginning of the reply")
    }
    expect(next.jobs).toEqual([])
    await offer(next, { ...request, recovery: { begun: [{ attempt: 0, boxes: mine }] } }, 9)
    expect(next.jobs).toMatchObject([{ recovery: { choices: [{ tokens: [0, 1] }] } }])
  })
})
