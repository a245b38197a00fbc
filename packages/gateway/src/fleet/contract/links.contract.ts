import { CLOSE } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { FleetWorld, type OpenGateways } from '../../testing/fleet-world.ts'

export function describeLinks(openGateways: OpenGateways): void {
  describe('a device that is lost', () => {
    it('[H84] goes unnoticed before the first event: another device answers', async () => {
      const { world, device: first, job } = await FleetWorld.running(openGateways)
      const second = await world.connect('d2')
      first.crash()
      await second.answers('j', 'from the second')
      await job.ends()
      expect(job.delivered).toBe('from the second')
      expect(await world.recorded('j')).toMatchObject({ outcome: { kind: 'ended' }, device: 'd2' })
    })

    it('ends a stream that has begun and that nobody can continue', async () => {
      const { world, device } = await FleetWorld.serving(openGateways)
      const job = world.submit('j')
      device.says(await device.accepts('j'), 0, 'half')
      await job.delivers('half')
      device.crash()
      expect(await job.fails()).toBe('device-lost')
      expect(job.delivered).toBe('half')
    })

    it('[H84b] makes a rerunnable job start over elsewhere', async () => {
      const { world, device: first } = await FleetWorld.serving(openGateways)
      const job = world.submit('j', { rerunnable: true })
      first.says(await first.accepts('j'), 0, 'half')
      await job.delivers('half')
      const second = await world.connect('d2')
      first.crash()
      await second.answers('j', 'whole')
      await job.ends()
      expect(job).toMatchObject({ delivered: 'whole', restarts: 1 })
    })
  })

  describe('a link', () => {
    it('is welcomed with the protocol version of both ends, and replaced by a newer one of the same device', async () => {
      const { world, device: old } = await FleetWorld.serving(openGateways)
      const fresh = await world.connect('d')
      expect(await old.isClosed()).toBe(CLOSE.superseded)
      const welcome = { protocol: 1, device: 'd', organization: 'acme' }
      expect(await fresh.hears('welcome')).toMatchObject(welcome)
      world.submit('j')
      await fresh.answers('j')
      expect(old.hasStarted('j')).toBe(false)
    })

    it('is refused when another machine uses the credential, and both find out', async () => {
      const world = await FleetWorld.open(openGateways)
      const machine = (boot: string) =>
        world.connect('d', { boot, address: boot === 'copy' ? '203.0.113.7' : '192.0.2.1' })
      for (const boot of ['copy', 'own', 'copy']) await machine(boot)
      const holder = await machine('own')
      const refused = await machine('copy')
      expect(await refused.isClosed()).toBe(CLOSE.inUse)
      expect((await holder.hears('notice')).text).toMatch(/^Another machine at 203\.0\.113\.7 tries to use this/)
      expect((await world.front.view('acme')).devices).toMatchObject([
        { id: 'd', conflict: { address: '203.0.113.7' } },
      ])
      expect(world.conflicts).toEqual([{ device: 'd', address: '203.0.113.7' }])
      expect(world.total('refusedLinks')).toBe(1)
      world.submit('j')
      await holder.answers('j')
    })

    it('can say nothing about a job that runs elsewhere', async () => {
      const { world, device } = await FleetWorld.serving(openGateways)
      const foreign = await world.connect('foreign', { organization: 'other' })
      const job = world.submit('j')
      const attempt = await device.accepts('j')
      foreign.says(attempt, 0, 'forged')
      device.says(attempt, 0, 'real')
      device.ends(attempt, 1)
      await job.ends()
      expect(job.delivered).toBe('real')
    })

    it('is reported when it comes and when it goes', async () => {
      const { world, device } = await FleetWorld.serving(openGateways)
      await world.noted('d', true)
      device.crash()
      await world.noted('d', false)
      expect(world.presence).toEqual([
        { device: 'd', isLinked: true },
        { device: 'd', isLinked: false },
      ])
    })
  })
}
