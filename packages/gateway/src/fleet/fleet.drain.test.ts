import { CLOSE } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { FleetWorld } from '../testing/fleet-world.ts'
import { MemoryDevice } from '../testing/memory-device.ts'
import type { Fleet } from './fleet.ts'
import { openGateways, scheduledBy, type SharedWorld } from './testing/open-gateways.ts'

interface Opened {
  world: FleetWorld
  fleets: readonly Fleet[]
  /** One that the last gateway schedules. */
  organization: string
}

async function open(count: number): Promise<Opened> {
  let shared!: SharedWorld
  const world = await FleetWorld.open((setup) => (shared = openGateways(setup, count)).fleets)
  return { world, fleets: await shared.fleets, organization: scheduledBy(shared, shared.names.at(-1)!) }
}

describe('a gateway that shuts down while others go on', () => {
  it('gives its devices no new jobs, and sends each elsewhere as soon as it is idle', async () => {
    const { world, fleets } = await open(3)
    const busy = await world.connect('busy')
    const running = world.submit('j1')
    const attempt = await busy.accepts('j1')
    const idle = await world.connect('idle')
    const drained = world.home.drain(60_000)
    expect(await idle.hears('restarting')).toMatchObject({ reconnectInMs: expect.any(Number) })
    expect(await idle.isClosed()).toBe(CLOSE.goingAway)
    const next = world.submit('j2')
    const moved = await MemoryDevice.connect(fleets[1]!, { id: 'idle' })
    await moved.answers('j2')
    await next.ends()
    expect(busy.closeCode).toBeUndefined()
    busy.says(attempt, 0, 'done')
    busy.ends(attempt, 1)
    expect(await running.ends()).toEqual(['stop'])
    expect(running.delivered).toBe('done')
    expect(await busy.isClosed()).toBe(CLOSE.goingAway)
    await drained
    expect(busy.hasStarted('j2')).toBe(false)
  })

  it('keeps its devices for the jobs that wait if there is no other gateway', async () => {
    const { world } = await open(1)
    const device = await world.connect('d')
    const first = world.submit('j1')
    const attempt = await device.accepts('j1')
    const second = world.submit('j2')
    const drained = world.home.drain(60_000)
    device.ends(attempt, 0)
    await device.answers('j2')
    await Promise.all([first.ends(), second.ends(), drained])
  })

  it('hands the organizations it schedules over, and no job notices', async () => {
    const { world, fleets, organization } = await open(3)
    const device = await MemoryDevice.connect(fleets[1]!, { id: 'd', organization })
    const running = world.submit('j1', { organization })
    const attempt = await device.accepts('j1')
    const waiting = world.submit('j2', { organization })
    await fleets[2]!.drain(60_000)
    device.says(attempt, 0, 'still here')
    device.ends(attempt, 1)
    await running.ends()
    await device.answers('j2')
    await waiting.ends()
    expect(running.delivered).toBe('still here')
  })
})
