import { describe, expect, it } from 'vitest'
import type { Shapes } from '../../../api/client.ts'
import { bestDevice, fitOn, orderByFit, summarizeFit } from './device-fit.ts'
import { machineOf, type DeviceMachine } from './device-machine.ts'

type Device = Shapes['Device']

const GB = 1_000_000_000
/** Needs 6 GB of memory with a short context. */
const needs = { name: 'qwen3:8b', bytes: 5 * GB, parameters: 8, activeParameters: 8, contextBytesPerToken: 195_312 }
const RYZEN = { processor: 'AMD Ryzen 7 5800X 8-Core Processor', cores: 16, memoryBytes: 32 * GB, gpu: null }

function device(
  name: string,
  library: Partial<NonNullable<Device['library']>> | null,
  more: Partial<Device> = {},
): DeviceMachine {
  const open = { isOpen: true, why: null, diskFreeBytes: 100 * GB, memoryBytes: 16 * GB, models: [] }
  const device = {
    id: name,
    name,
    state: 'linked',
    isPaused: false,
    models: [],
    downloads: [],
    library: library && { ...open, ...library },
    machine: null,
    backend: null,
    ...more,
  } as unknown as Device
  return machineOf(device, [])
}

describe('where a model fits', () => {
  it('says what a device lacks', () => {
    expect(fitOn(device('d', {}), needs)).toEqual({
      kind: 'fits',
      note: 'Fits, 100 GB of disk space free',
      tokensPerSecond: 0,
    })
    expect(fitOn(device('d', { memoryBytes: 4 * GB }), needs).note).toBe('Needs 1.9 GB more memory')
    expect(fitOn(device('d', { diskFreeBytes: 5 * GB }), needs).note).toBe('Needs 500 MB more disk space')
  })

  it('says why a device takes no models, and what to do', () => {
    expect(fitOn(device('d', null), needs).note).toMatch(/too old.*hearth-device update/)
    expect(fitOn(device('d', null, { state: 'offline' }), needs).note).toMatch(/^Offline\. Start the device app/)
    expect(fitOn(device('d', { isOpen: false, why: 'its owner turned this off' }), needs)).toEqual({
      kind: 'closed',
      note: 'Its owner turned this off.',
    })
    expect(fitOn(device('d', {}, { isPaused: true }), needs).note).toMatch(/serves after you resume it/)
  })

  it('knows which devices have it or are getting it', () => {
    expect(fitOn(device('d', { models: [{ name: 'qwen3:8b', bytes: 1 }] }), needs).kind).toBe('has')
    const downloads = [{ model: 'qwen3:8b' }] as Device['downloads']
    expect(fitOn(device('d', {}, { downloads }), needs).note).toBe('Already downloading it')
  })

  it('says what to expect of a machine that describes itself', () => {
    const machine = RYZEN as unknown as NonNullable<Device['machine']>
    expect(fitOn(device('d', {}, { machine }), needs).note).toBe(
      'About 6 tokens/s, first token in about 14 s. Runs on the processor, 100 GB of disk space free',
    )
    expect(summarizeFit([device('d', {}, { machine })], needs).fits).toEqual(['d (about 6 tokens/s)'])
    const backend = { name: 'cuda', card: 'NVIDIA GeForce RTX 4090' } as Device['backend']
    const card = device('d', { memoryBytes: 40 * GB }, { machine, backend })
    expect(fitOn(card, needs).note).toMatch(/^About 98 tokens\/s, first token in about 0\.1 s\. Fits the GPU, 100 GB/)
  })

  it('lists devices where it fits first, the fastest before the others', () => {
    const machine = RYZEN as unknown as NonNullable<Device['machine']>
    const names = ['closed', 'small', 'slow', 'fast'].map((name) =>
      device(
        name,
        { isOpen: name !== 'closed', memoryBytes: name === 'small' ? 1 : 64 * GB },
        name === 'fast' ? { machine } : {},
      ),
    )
    expect(orderByFit(names, needs).map((one) => one.machine.device.name)).toEqual(['fast', 'slow', 'small', 'closed'])
  })

  it('prefers the device with the most memory that is not paused, if nothing is known about their speed', () => {
    const devices = [
      device('small', {}),
      device('large', { memoryBytes: 64 * GB }),
      device('paused', { memoryBytes: 99 * GB }, { isPaused: true }),
    ]
    expect(bestDevice(devices, needs)?.name).toBe('large')
    expect(bestDevice([device('tiny', { memoryBytes: 1 })], needs)).toBeUndefined()
    expect(summarizeFit([...devices, device('tiny', { memoryBytes: 4 * GB })], needs)).toEqual({
      fits: ['paused', 'large', 'small'],
      lacks: ['tiny (needs 1.9 GB more memory)'],
    })
  })
})
