import { describe, expect, it } from 'vitest'
import { encodeFrame, parseGatewayFrames, type GatewayFrame } from '@hearth/protocol'
import { FleetWorld } from '../testing/fleet-world.ts'
import { aModel } from '../testing/memory-device.ts'
import { RecordedJob } from '../testing/recorded-job.ts'
import type { DeviceConnection, DeviceSocket, Fleet } from './fleet.ts'
import { openGateways, type SharedWorld } from './testing/open-gateways.ts'

const TOKENS = 12
const WHOLE = Array.from({ length: TOKENS }, (_, index) => `${index} `).join('')

/** Answers every job with numbered tokens, one per turn of the loop, and stops when it is told to. */
class CountingDevice implements DeviceSocket {
  readonly bufferedBytes = 0
  readonly #working = new Map<string, () => void>()
  #connection: DeviceConnection | undefined
  most = 0

  static async connect(fleet: Fleet, id: string, slots: number): Promise<CountingDevice> {
    const device = new CountingDevice()
    const accept = await fleet.accept({ id, organization: 'acme', name: id })
    device.#connection = accept(device)
    const models = [aModel('m', slots)]
    device.#say({ type: 'hello', protocols: [1], app: '1', boot: id, engine: 'counting', models })
    return device
  }

  get jobs(): number {
    return this.#working.size
  }

  send(text: string, whenSent?: () => void): void {
    parseGatewayFrames(text, (frame) => this.#hear(frame))
    whenSent?.()
  }

  close(): void {}

  #say(frame: Parameters<typeof encodeFrame>[0]): void {
    this.#connection?.receive(encodeFrame(frame), performance.now())
  }

  #hear(frame: GatewayFrame): void {
    if (frame.type === 'job-start') setImmediate(() => this.#run(frame.job, frame.attempt))
    if (frame.type === 'job-cancel') setImmediate(() => this.#stop(frame.job, frame.attempt))
  }

  #run(job: string, attempt: number): void {
    let sequence = 0
    const key = `${job} ${attempt}`
    const timer = setInterval(() => {
      if (sequence < TOKENS)
        return this.#say({ type: 'job-delta', job, attempt, sequence, choice: 0, text: `${sequence++} `, tokens: 1 })
      this.#end(key)
      this.#say({ type: 'job-end', job, attempt, sequence, finishes: ['stop'] })
    }, 1)
    this.#working.set(key, () => clearInterval(timer))
    this.most = Math.max(this.most, this.#working.size)
    this.#say({ type: 'job-accept', job, attempt })
  }

  #stop(job: string, attempt: number): void {
    if (!this.#end(`${job} ${attempt}`)) return
    this.#say({ type: 'job-cancelled', job, attempt })
  }

  #end(key: string): boolean {
    this.#working.get(key)?.()
    return this.#working.delete(key)
  }
}

function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

describe('three gateways whose links break all the time', () => {
  it.each([1, 2, 3, 4, 5])('[N57] lose, double and reorder nothing, and leak no slot (%i)', (seed) => run(seed, false))
})

describe('three gateways that are taken for dead and come back', () => {
  it.each([6, 7, 8, 9, 10])('[N57] lose, double and reorder nothing, and leak no slot (%i)', (seed) => run(seed, true))
})

async function run(seed: number, areTakenForDead: boolean): Promise<void> {
  const random = randomFrom(seed)
  let shared!: SharedWorld
  await FleetWorld.open(async (setup) => {
    shared = openGateways(setup, 3, { cancelMs: 1_000, acceptMs: 500, hedgeMs: 200 })
    return shared.fleets
  })
  const fleets = await shared.fleets
  const { names, network, peers } = shared
  const devices = await Promise.all(
    [0, 1, 2, 3].map((index) => CountingDevice.connect(fleets[index % 3]!, `d${index}`, 2)),
  )
  const jobs: RecordedJob[] = []
  for (let round = 0; round < 60; round++) {
    jobs.push(new RecordedJob(fleets[random(3)]!, { job: `j${round}`, rerunnable: random(2) === 0 }))
    const [one, other] = [names[random(3)]!, names[random(3)]!]
    if (one !== other && random(3) === 0) {
      network.cut(one, other)
      setTimeout(() => network.mend(one, other), random(20))
    }
    if (areTakenForDead && random(6) === 0) {
      peers.set(names.filter((name) => name !== one))
      setTimeout(() => peers.set(names), random(20))
    }
    if (random(10) === 0) jobs[random(jobs.length)]!.handle.cancel('client-gone')
    await new Promise((resolve) => setTimeout(resolve, random(6)))
  }
  for (const one of names) for (const other of names) if (one < other) network.mend(one, other)
  await new Promise((resolve) => setTimeout(resolve, 20))
  peers.set(names)
  const late = new RecordedJob(fleets[0]!, { job: 'late' })
  await late.ends()
  await expect.poll(() => devices.reduce((sum, device) => sum + device.jobs, 0), { timeout: 20_000 }).toBe(0)
  const leases = () => fleets.reduce((sum, fleet) => sum + fleet.stats().leases + fleet.stats().queued, 0)
  await expect.poll(leases, { timeout: 20_000 }).toBe(0)
  for (const job of jobs) expect(WHOLE.startsWith(job.delivered)).toBe(true)
  for (const job of jobs) if (job.finishes) expect(job.delivered).toBe(WHOLE)
  expect(jobs.filter((job) => job.finishes).length).toBeGreaterThan(jobs.length / 4)
}
