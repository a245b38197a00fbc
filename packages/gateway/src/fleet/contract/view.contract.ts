import { describe, expect, it } from 'vitest'
import { FleetWorld, type OpenGateways } from '../../testing/fleet-world.ts'
import { aModel } from '../../testing/memory-device.ts'
import type { FleetChange } from '../fleet.ts'

export function describeView(openGateways: OpenGateways): void {
  describe('the view of an organization', () => {
    it('shows where models compute, and why not elsewhere', async () => {
      const { world, device } = await FleetWorld.serving(openGateways)
      const problem = { name: 'cuda', why: 'the driver is too old', remedy: 'update the driver' }
      device.say({ type: 'backend', backend: { name: 'cpu', problems: [problem] } })
      const { devices } = await world.sees((view) => view.devices[0]?.backend !== undefined)
      expect(devices[0]!.backend).toEqual({ name: 'cpu', problems: [problem] })
    })

    it('shows the electricity that a machine takes', async () => {
      const { world, device } = await FleetWorld.serving(openGateways)
      const energy = { parts: ['processor' as const, 'gpu' as const], watts: 312.4, wattHoursToday: 1840.25 }
      device.say({ type: 'energy', energy })
      const { devices } = await world.sees((view) => view.devices[0]?.energy !== undefined)
      expect(devices[0]!.energy).toEqual(energy)
    })

    it('shows its devices, their machines, models and downloads', async () => {
      const world = await FleetWorld.open(openGateways)
      const machine = { model: 'ThinkPad X1', memoryBytes: 16 }
      const device = await world.connect('d', { models: [aModel('m', 2), aModel('n')], machine })
      device.say({ type: 'downloads', downloads: [{ model: 'big', doneBytes: 1, totalBytes: 2 }] })
      const { devices } = await world.sees((view) => view.devices[0]?.downloads.length === 1)
      expect(devices).toEqual([
        {
          id: 'd',
          state: 'linked',
          app: '1.2.3',
          engine: 'scripted',
          models: [
            { ...aModel('m', 2), running: 0 },
            { ...aModel('n'), running: 0 },
          ],
          downloads: [{ model: 'big', doneBytes: 1, totalBytes: 2 }],
          machine,
          address: '192.0.2.1',
        },
      ])
    })

    it('shows how many jobs run and wait', async () => {
      const { world, device } = await FleetWorld.serving(openGateways)
      for (const job of ['j1', 'j2', 'j3']) world.submit(job)
      await device.accepts('j1')
      const { devices, queued } = await world.sees((view) => view.queued.get('m') === 2)
      expect(devices[0]!.models).toMatchObject([{ name: 'm', running: 1 }])
      expect([...queued]).toEqual([['m', 2]])
    })

    it('shows nothing of another organization', async () => {
      const world = await FleetWorld.open(openGateways)
      await world.connect('d')
      world.submit('j', { model: 'unserved' })
      await world.sees(({ devices, queued }) => devices.length === 1 && queued.size === 1)
      const { devices, queued } = await world.front.view('other')
      expect([devices, [...queued]]).toEqual([[], []])
    })

    it('tells a draining device from one that takes jobs, and drops one that is gone', async () => {
      const { world, device } = await FleetWorld.serving(openGateways)
      await world.sees(({ devices }) => devices[0]?.state === 'linked')
      device.say({ type: 'drain' })
      await world.connect('d2')
      await world.sees(({ devices }) => devices.some(({ id, state }) => id === 'd' && state === 'draining'))
      device.crash()
      await world.sees(({ devices }) => !devices.some(({ id }) => id === 'd'))
    })
  })

  describe('changes', () => {
    it('are announced when devices come, change, drain and go, and when they download', async () => {
      const world = await FleetWorld.open(openGateways)
      const changes = listen(world, 'acme')
      const device = await world.connect('d')
      await changes.include('devices', 'models')
      device.say({ type: 'downloads', downloads: [{ model: 'big', doneBytes: 1 }] })
      await changes.include('devices')
      device.say({ type: 'models', models: [{ ...aModel('m'), blockedRequests: 2 }] })
      await changes.include('devices', 'models')
      device.say({ type: 'drain' })
      await changes.include('devices', 'models')
      device.crash()
      await changes.include('devices', 'models')
    })

    it('are announced when jobs begin to run or to wait', async () => {
      const world = await FleetWorld.open(openGateways)
      await world.connect('d')
      await world.sees(({ devices }) => devices.length === 1)
      const changes = listen(world, 'acme')
      world.submit('j1')
      await changes.include('devices', 'models')
      world.submit('j2')
      await changes.include('devices', 'models')
    })

    it('are announced only for the organization they happen in, and only to listeners', async () => {
      const world = await FleetWorld.open(openGateways)
      const other = listen(world, 'other')
      const stopped = listen(world, 'acme')
      stopped.stop()
      const changes = listen(world, 'acme')
      await world.connect('d')
      await changes.include('devices', 'models')
      expect([...other.heard, ...stopped.heard]).toEqual([])
    })
  })

  describe('the numbers', () => {
    it('count links, running and waiting jobs, and served models', async () => {
      const { world, device: old } = await FleetWorld.serving(openGateways, { models: [aModel('m'), aModel('n')] })
      const device = await world.connect('d', { models: [aModel('m'), aModel('n')] })
      await old.isClosed()
      // The scheduler may hear of the newer link after it has leased a slot of the older one: then this job asks again.
      world.submit('j1')
      await device.accepts('j1')
      world.submit('j2')
      await world.sees(({ queued }) => queued.get('m') === 1)
      const names = ['links', 'supersededLinks', 'queued', 'running', 'leases', 'suspectSlots'] as const
      await expect.poll(() => names.map((name) => world.total(name))).toEqual([1, 1, 1, 1, 1, 0])
      expect(world.total('oldestWaitMs')).toBeGreaterThan(0)
      await expect
        .poll(() => world.front.stats().served)
        .toEqual([
          { organization: 'acme', model: 'm' },
          { organization: 'acme', model: 'n' },
        ])
    })

    it('leave out models of draining and paused devices', async () => {
      const { world, device: draining } = await FleetWorld.serving(openGateways)
      await world.connect('d2')
      draining.say({ type: 'drain' })
      world.tell((fleet) => fleet.pauseChanged('d2', true))
      await world.connect('d3', { models: [aModel('n')] })
      await world.sees(({ devices }) => devices.length === 3)
      await expect.poll(() => world.front.stats().served).toEqual([{ organization: 'acme', model: 'n' }])
    })
  })
}

function listen(world: FleetWorld, organization: string) {
  const heard = new Set<FleetChange>()
  let look = () => {}
  const stop = world.front.onChange(organization, (change) => {
    heard.add(change)
    look()
  })
  return {
    heard,
    stop,
    /** Afterwards, they have to be heard again. */
    async include(...changes: FleetChange[]): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      look = () => {
        if (changes.every((change) => heard.has(change))) resolve()
      }
      look()
      await promise
      heard.clear()
    },
  }
}
