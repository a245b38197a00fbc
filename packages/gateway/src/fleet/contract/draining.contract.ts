import { CLOSE } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { FleetWorld, type OpenGateways } from '../../testing/fleet-world.ts'

const LONG_MS = 60_000

export function describeDraining(openGateways: OpenGateways): void {
  describe('draining', () => {
    it('lets running jobs finish, then asks devices to reconnect', async () => {
      const { world, device, job, attempt } = await FleetWorld.running(openGateways)
      const drained = world.drain(LONG_MS)
      device.says(attempt, 0, 'last')
      expect(device.closeCode).toBeUndefined()
      device.ends(attempt, 1)
      await drained
      expect(await job.ends()).toEqual(['stop'])
      expect(await device.hears('restarting')).toMatchObject({ reconnectInMs: expect.any(Number) })
      expect(await device.isClosed()).toBe(CLOSE.goingAway)
    })

    it('ends jobs that take longer than the limit', async () => {
      const { world, job: running } = await FleetWorld.running(openGateways, { job: 'j1' })
      const waiting = world.submit('j2')
      await world.drain(0)
      expect(await Promise.all([running.fails(), waiting.fails()])).toEqual(['shutdown', 'shutdown'])
    })

    it('ends jobs that come later at once', async () => {
      const world = await FleetWorld.open(openGateways)
      await world.drain(0)
      expect(await world.submit('j').fails()).toBe('shutdown')
    })
  })
}
