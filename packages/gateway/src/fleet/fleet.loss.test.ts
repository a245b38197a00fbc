import { CLOSE, type DeviceModel } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { FleetWorld } from '../testing/fleet-world.ts'
import { aModel, MemoryDevice } from '../testing/memory-device.ts'
import { RecordedJob } from '../testing/recorded-job.ts'
import type { Ticket } from './fleet.ts'
import { openGateways, scheduledBy, type SharedWorld } from './testing/open-gateways.ts'

const [FRONT, SCHEDULER, HOME] = ['gateway-1', 'gateway-2', 'gateway-3']
/** A model whose replies other devices can continue. */
const RESUMABLE: DeviceModel = { ...aModel('m'), features: ['resume'], digest: 'f1' }

/** Requests come in at the first of three gateways, devices connect to the third, and the second one schedules. */
async function open(scheduler = SCHEDULER) {
  let shared!: SharedWorld
  const world = await FleetWorld.open(async (setup) => {
    shared = openGateways(setup, 3)
    return shared.fleets
  })
  const fleets = await shared.fleets
  const { network, peers } = shared
  const organization = scheduledBy(shared, scheduler)
  const fleetOf = (name: string | undefined) => fleets[shared.names.indexOf(name!)]!
  return {
    world,
    network,
    peers,
    organization,
    fleetOf,
    submit: (job: string, more: Partial<Ticket> = {}, at = FRONT) =>
      new RecordedJob(fleetOf(at), { job, organization, ...more }),
    connect: (id: string, models: DeviceModel[] = [aModel('m')], at = HOME) =>
      MemoryDevice.connect(fleetOf(at), { id, organization, models }),
    /** Everybody notices, as they would after three seconds of silence. */
    kill: (name: string | undefined, late: readonly string[] = []) => {
      network.kill(name!)
      peers.set(
        shared.names.filter((other) => other !== name),
        late,
      )
    },
    isIdle: async () => {
      await expect
        .poll(() => fleets.map((fleet) => fleet.stats()).reduce((sum, { leases, queued }) => sum + leases + queued, 0))
        .toBe(0)
    },
  }
}

/** With a job that device `d` has accepted. */
async function openRunning(id = 'j') {
  const opened = await open()
  const device = await opened.connect('d')
  const job = opened.submit(id)
  return { ...opened, device, job, attempt: await device.accepts(id) }
}

describe('a scheduler that is lost', () => {
  it('goes unnoticed by running streams, and waiting jobs keep their places', async () => {
    const { submit, kill, device, job: first, attempt } = await openRunning('j1')
    device.says(attempt, 0, 'a')
    await first.delivers('a')
    const [second, third] = [submit('j2'), submit('j3')]
    kill(SCHEDULER)
    device.says(attempt, 1, 'b')
    device.ends(attempt, 2)
    expect(await first.ends()).toEqual(['stop'])
    expect(first.delivered).toBe('ab')
    await device.answers('j2', 'second')
    await device.answers('j3', 'third')
    await Promise.all([second.ends(), third.ends()])
    expect(device.frames.filter(({ type }) => type === 'job-start')).toHaveLength(3)
  })

  it.each([FRONT, HOME])('goes unnoticed even if %s hears of it last', async (late) => {
    const { submit, kill, peers, network, isIdle, device, job: running, attempt } = await openRunning('j1')
    const waiting = submit('j2')
    kill(SCHEDULER, [late])
    await network.quiet()
    peers.catchUp()
    device.says(attempt, 0, 'a')
    device.ends(attempt, 1)
    expect(await running.ends()).toEqual(['stop'])
    await device.answers('j2', 'second')
    expect(await waiting.ends()).toEqual(['stop'])
    await isIdle()
  })
})

describe('a scheduler that nobody hears', () => {
  it('is replaced at once, without waiting for what it has to say', async () => {
    const { submit, network, peers, fleetOf, isIdle, device, job: running, attempt } = await openRunning('j1')
    const waiting = submit('j2')
    for (const other of [FRONT, HOME]) network.cut(SCHEDULER, other)
    peers.isolated([SCHEDULER])
    await network.quiet()
    const takenOver = [FRONT, HOME].map((name) => fleetOf(name).stats().between!.scheduling.takenOver)
    expect(Math.max(...takenOver)).toBe(1)
    device.ends(attempt, 0)
    expect(await running.ends()).toEqual(['stop'])
    await device.answers('j2')
    expect(await waiting.ends()).toEqual(['stop'])
    for (const other of [FRONT, HOME]) network.mend(SCHEDULER, other)
    peers.isolated([])
    const last = submit('j3')
    await device.answers('j3')
    expect(await last.ends()).toEqual(['stop'])
    await isIdle()
    await expect.poll(() => fleetOf(FRONT).stats().served).toHaveLength(1)
  })
})

describe('a front that is lost', () => {
  it('frees the slots of its jobs', async () => {
    const { submit, kill, isIdle, device, attempt } = await openRunning('j1')
    submit('j2')
    kill(FRONT)
    expect(await device.hears('job-cancel', 'j1')).toMatchObject({ ...attempt, reason: 'client-gone' })
    const other = submit('j3', {}, SCHEDULER)
    device.say({ type: 'job-cancelled', ...attempt })
    await device.answers('j3')
    await other.ends()
    await isIdle()
    expect(device.hasStarted('j2')).toBe(false)
  })
})

describe('a hub that is lost', () => {
  it('goes unnoticed before the first event', async () => {
    const { connect, kill, job } = await openRunning()
    const other = await connect('d2', [aModel('m')], SCHEDULER)
    kill(HOME)
    await other.answers('j', 'from the other')
    expect(await job.ends()).toEqual(['stop'])
    expect(job.delivered).toBe('from the other')
  })

  it('ends a stream that nobody can continue', async () => {
    const { connect, submit, kill } = await open()
    const lost = await connect('d1')
    const job = submit('j')
    lost.says(await lost.accepts('j'), 0, 'half')
    await job.delivers('half')
    await connect('d2', [aModel('m')], SCHEDULER)
    kill(HOME)
    expect(await job.fails()).toBe('device-lost')
  })

  it('lets a stream go on elsewhere if another device can continue it', async () => {
    const { connect, submit, kill } = await open()
    const lost = await connect('d1', [RESUMABLE])
    const job = submit('j')
    const attempt = await lost.accepts('j')
    lost.say({ type: 'job-delta', ...attempt, sequence: 0, choice: 0, text: 'one ', tokens: 1, ids: [1] })
    await job.delivers('one ')
    const other = await connect('d2', [RESUMABLE], FRONT)
    kill(HOME)
    const next = await other.accepts('j')
    expect(next.attempt).toBeGreaterThan(attempt.attempt)
    expect(await other.hears('job-start', 'j')).toMatchObject({ request: { recovery: { choices: [{ tokens: [1] }] } } })
    other.says(next, 0, 'two')
    other.ends(next, 1)
    expect(await job.ends()).toEqual(['stop'])
    expect(job.delivered).toBe('one two')
  })
})

describe('a peer link that breaks for a moment', () => {
  it('between front and scheduler changes nothing for a running stream, nor for one that waits', async () => {
    const { submit, network, isIdle, device, job: running, attempt } = await openRunning('j1')
    device.says(attempt, 0, 'a')
    await running.delivers('a')
    const waiting = submit('j2')
    network.cut(FRONT, SCHEDULER)
    device.says(attempt, 1, 'b')
    await running.delivers('ab')
    network.mend(FRONT, SCHEDULER)
    device.ends(attempt, 2)
    expect(await running.ends()).toEqual(['stop'])
    await device.answers('j2')
    await waiting.ends()
    await isIdle()
  })

  it('between front and scheduler loses no slot when a job ends in between', async () => {
    const { submit, network, isIdle, device, job, attempt } = await openRunning()
    network.cut(FRONT, SCHEDULER)
    device.ends(attempt, 0)
    await job.ends()
    network.mend(FRONT, SCHEDULER)
    await isIdle()
    const next = submit('next')
    await device.answers('next')
    await next.ends()
  })

  it('between hub and scheduler keeps the device and its job', async () => {
    const { network, isIdle, device, job, attempt } = await openRunning()
    network.cut(SCHEDULER, HOME)
    device.says(attempt, 0, 'a')
    await job.delivers('a')
    network.mend(SCHEDULER, HOME)
    device.ends(attempt, 1)
    await job.ends()
    await isIdle()
  })

  it('between front and hub stops the device, and the job goes on elsewhere', async () => {
    const { connect, network, isIdle, device, job, attempt } = await openRunning()
    network.cut(FRONT, HOME)
    expect(await device.hears('job-cancel', 'j')).toMatchObject(attempt)
    device.say({ type: 'job-cancelled', ...attempt })
    const other = await connect('d2', [aModel('m')], SCHEDULER)
    await other.answers('j', 'elsewhere')
    expect(await job.ends()).toEqual(['stop'])
    expect(job.delivered).toBe('elsewhere')
    network.mend(FRONT, HOME)
    await isIdle()
  })
})

describe('a device that still works on an attempt that its front has lost', () => {
  it('gets no other job before it has stopped', async () => {
    const { connect, submit, network, isIdle, device, job, attempt } = await openRunning()
    network.cut(FRONT, SCHEDULER)
    network.cut(FRONT, HOME)
    await device.hears('job-cancel', 'j')
    network.mend(FRONT, HOME)
    network.mend(FRONT, SCHEDULER)
    // The scheduler hears of another job after it has heard of this one.
    const other = await connect('d2', [aModel('other')])
    const answered = submit('j2', { model: 'other' })
    await other.answers('j2')
    await answered.ends()
    expect(device.frames.filter(({ type }) => type === 'job-start')).toHaveLength(1)
    device.say({ type: 'job-cancelled', ...attempt })
    await expect.poll(() => device.frames.filter(({ type }) => type === 'job-start').length).toBe(2)
    const next = { job: 'j', attempt: attempt.attempt + 1 }
    device.says(next, 0, 'again')
    device.ends(next, 1)
    await job.ends()
    await isIdle()
  })
})

describe('two machines with one credential at different gateways', () => {
  it('take each other’s place three times; then the one that comes back is refused, and the other hears why', async () => {
    const { organization, fleetOf, network } = await open()
    const connect = async (boot: string, at = HOME) => {
      const device = { id: 'd', organization, boot, address: `address of ${boot}` }
      const connected = await MemoryDevice.connect(fleetOf(at), device)
      // The scheduler hears of the links in the order in which they came.
      await network.quiet()
      return connected
    }
    let holder = await connect('a')
    for (const [boot, at] of [['b', FRONT], ['a'], ['b', FRONT]] as const) {
      const newer = await connect(boot, at)
      expect(await holder.isClosed()).toBe(CLOSE.superseded)
      holder = newer
    }
    expect(await (await connect('a')).isClosed()).toBe(CLOSE.inUse)
    expect((await holder.hears('notice')).text).toContain('address of a')
    expect(holder.closeCode).toBeUndefined()
    expect(fleetOf(HOME).stats().refusedLinks).toBe(1)
  })
})
