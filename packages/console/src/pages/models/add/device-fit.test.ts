import { describe, expect, it } from 'vitest'
import { bestDevice, fitOn, orderByFit, summarizeFit } from './device-fit.ts'
import { EIGHT, GB, RYZEN, standInMachine } from './testing/stand-in-machine.ts'

describe('where a model fits', () => {
  it('says what a device lacks', () => {
    const fits = { kind: 'fits', note: 'Fits, 100 GB of disk space free', tokensPerSecond: 0 }
    expect(fitOn(standInMachine({}), EIGHT)).toEqual(fits)
    expect(fitOn(standInMachine({ memoryBytes: 4 * GB }), EIGHT).note).toBe('Needs 1.9 GB more memory')
    expect(fitOn(standInMachine({ diskFreeBytes: 5 * GB }), EIGHT).note).toBe('Needs 500 MB more disk space')
  })

  it('says why a device takes no models, and what to do', () => {
    expect(fitOn(standInMachine(null), EIGHT).note).toMatch(/too old.*hearth-device update/)
    expect(fitOn(standInMachine(null, { state: 'offline' }), EIGHT).note).toMatch(/^Offline\. Start the device app/)
    const closed = standInMachine({ isOpen: false, why: 'its owner turned this off' })
    expect(fitOn(closed, EIGHT)).toEqual({ kind: 'closed', note: 'Its owner turned this off.' })
    expect(fitOn(standInMachine({}, { isPaused: true }), EIGHT).note).toMatch(/serves after you resume it/)
  })

  it('knows which devices have it or are getting it', () => {
    expect(fitOn(standInMachine({ models: [{ name: 'qwen3:8b', bytes: 1 }] }), EIGHT).kind).toBe('has')
    const downloads = [{ model: 'qwen3:8b' }]
    expect(fitOn(standInMachine({}, { downloads }), EIGHT).note).toBe('Already downloading it')
  })

  it('says what to expect of a machine that describes itself', () => {
    const described = standInMachine({}, { machine: RYZEN })
    expect(fitOn(described, EIGHT).note).toBe(
      'About 6 tokens/s, first token in about 14 s. Runs on the processor, 100 GB of disk space free',
    )
    expect(summarizeFit([described], EIGHT).fits).toEqual(['d (about 6 tokens/s)'])
    const backend = { name: 'cuda', card: 'NVIDIA GeForce RTX 4090' }
    const card = standInMachine({ memoryBytes: 40 * GB }, { machine: RYZEN, backend })
    expect(fitOn(card, EIGHT).note).toMatch(/^About 98 tokens\/s, first token in about 0\.1 s\. Fits the GPU, 100 GB/)
  })

  it('lists devices where it fits first, the fastest before the others', () => {
    const machines = [
      standInMachine({ isOpen: false }, { name: 'closed' }),
      standInMachine({ memoryBytes: 1 }, { name: 'small' }),
      standInMachine({}, { name: 'slow' }),
      standInMachine({}, { name: 'fast', machine: RYZEN }),
    ]
    const ordered = orderByFit(machines, EIGHT).map((one) => one.machine.device.name)
    expect(ordered).toEqual(['fast', 'slow', 'small', 'closed'])
  })

  it('prefers the device with the most memory that is not paused, if nothing is known about their speed', () => {
    const devices = [
      standInMachine({}, { name: 'small' }),
      standInMachine({ memoryBytes: 64 * GB }, { name: 'large' }),
      standInMachine({ memoryBytes: 99 * GB }, { name: 'paused', isPaused: true }),
    ]
    expect(bestDevice(devices, EIGHT)?.name).toBe('large')
    expect(bestDevice([standInMachine({ memoryBytes: 1 }, { name: 'tiny' })], EIGHT)).toBeUndefined()
    expect(summarizeFit([...devices, standInMachine({ memoryBytes: 4 * GB }, { name: 'tiny' })], EIGHT)).toEqual({
      fits: ['paused', 'large', 'small'],
      lacks: ['tiny (needs 1.9 GB more memory)'],
    })
  })
})
