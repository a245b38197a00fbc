import type { Library } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { FleetWorld, type OpenGateways } from '../../testing/fleet-world.ts'
import type { MemoryDevice } from '../../testing/memory-device.ts'

const library: Library = { isOpen: true, diskFreeBytes: 5, memoryBytes: 6, models: [{ name: 'm', bytes: 4 }] }
const ask = { type: 'model-fetch', source: 'qwen3:8b', by: 'Ada' } as const

async function connect(openGateways: OpenGateways): Promise<{ world: FleetWorld; device: MemoryDevice }> {
  const { world, device } = await FleetWorld.serving(openGateways)
  device.say({ type: 'library', library })
  await world.sees((view) => view.devices[0]?.library !== undefined)
  return { world, device }
}

export function describeModelRequests(openGateways: OpenGateways): void {
  describe('requests about the models of a device', () => {
    it('show what the device keeps, without marks that mislead', async () => {
      const { world, device } = await connect(openGateways)
      device.say({ type: 'library', library: { ...library, isOpen: false, why: 'no\u202Epe' } })
      const { devices } = await world.sees((view) => view.devices[0]?.library?.isOpen === false)
      expect(devices[0]!.library).toEqual({ ...library, isOpen: false, why: 'nope' })
    })

    it('get the reply of the device to each, without marks that mislead', async () => {
      const { world, device } = await connect(openGateways)
      const first = world.front.sendModelRequest('acme', 'd', ask)
      const { request } = await device.hears('model-fetch')
      const second = world.front.sendModelRequest('acme', 'd', { type: 'model-remove', model: 'm', by: 'Ada' })
      const removal = await device.hears('model-remove')
      expect(removal).toEqual({ type: 'model-remove', request: expect.any(String), model: 'm', by: 'Ada' })
      device.say({ type: 'model-reply', request: 'unknown' })
      device.say({ type: 'model-reply', request: removal.request, freedBytes: 4 })
      expect(await second).toMatchObject({ kind: 'replied', reply: { freedBytes: 4 } })
      device.say({ type: 'model-reply', request, problem: { code: 'no-room', message: 'fu\u202Ell' } })
      expect(await first).toMatchObject({ kind: 'replied', reply: { problem: { message: 'full' } } })
    })

    it('take no reply from another device', async () => {
      const { world, device } = await connect(openGateways)
      const answer = world.front.sendModelRequest('acme', 'd', ask)
      const { request } = await device.hears('model-fetch')
      const other = await world.connect('other')
      other.say({ type: 'model-reply', request, freedBytes: 666 })
      device.say({ type: 'model-reply', request, freedBytes: 1 })
      expect(await answer).toMatchObject({ kind: 'replied', reply: { freedBytes: 1 } })
    })

    it('end when the device is gone', async () => {
      const { world, device } = await connect(openGateways)
      const answer = world.front.sendModelRequest('acme', 'd', ask)
      await device.hears('model-fetch')
      device.crash()
      expect(await answer).toEqual({ kind: 'gone' })
      expect(await world.front.sendModelRequest('acme', 'd', ask)).toEqual({ kind: 'gone' })
    })

    it('never reach an older device, or one of another organization', async () => {
      const { world, device } = await connect(openGateways)
      await world.connect('old')
      expect(await world.front.sendModelRequest('acme', 'old', ask)).toEqual({ kind: 'unsupported' })
      expect(await world.front.sendModelRequest('other', 'd', ask)).toEqual({ kind: 'gone' })
      expect(device.frames.some(({ type }) => type === 'model-fetch')).toBe(false)
    })
  })
}
