import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Energy, EnergyPart } from '@hearth/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { EnergyWatch } from './energy-watch.ts'
import type { Meter, Reading } from './meter.ts'

const NOON = new Date('2026-11-17T12:00:00Z')

function aMeter(part: EnergyPart, first: Reading): Meter & { reading: Reading; reads: number } {
  return {
    part,
    reading: first,
    reads: 0,
    read() {
      this.reads += 1
      return Promise.resolve(this.reading)
    },
  }
}

function power(watts: number): Reading {
  return { kind: 'power', watts }
}

function begin(meters: readonly Meter[], { path = join(scratchFolder(), 'energy.json'), start = NOON } = {}) {
  const clock = createManualClock(start)
  const told: (Energy | undefined)[] = []
  const said: string[] = []
  const onEnergy = (energy: Energy | undefined) => void told.push(energy)
  const watch = new EnergyWatch({ meters, path, clock, onEnergy, say: (text) => void said.push(text) })
  watch.start()
  onTestFinished(() => watch.stop())
  return { clock, told, said, watch, path }
}

describe('the energy of a machine', () => {
  it('is the power over time', async () => {
    const gpu = aMeter('gpu', power(360))
    const { clock, told } = begin([gpu])
    await clock.advance(0)
    expect(told).toEqual([{ parts: ['gpu'], watts: 360, wattHoursToday: 0 }])
    await clock.advance(3_600_000)
    expect(told.at(-1)).toEqual({ parts: ['gpu'], watts: 360, wattHoursToday: 360 })
    gpu.reading = power(36.04)
    await clock.advance(10_000)
    expect(told.at(-1)).toEqual({ parts: ['gpu'], watts: 36, wattHoursToday: 360.1 })
  })

  it('counts all parts, and names them', async () => {
    const processor = aMeter('processor', { kind: 'begun' })
    const { clock, told } = begin([processor, aMeter('gpu', power(90))])
    await clock.advance(0)
    expect(told).toEqual([{ parts: ['gpu'], watts: 90, wattHoursToday: 0 }])
    processor.reading = power(270)
    await clock.advance(10_000)
    expect(told.at(-1)).toEqual({ parts: ['processor', 'gpu'], watts: 360, wattHoursToday: 1 })
  })

  it('starts at 0 at midnight UTC', async () => {
    const { clock, told } = begin([aMeter('gpu', power(360))], { start: new Date('2026-11-17T23:59:35Z') })
    await clock.advance(20_000)
    expect(told.at(-1)?.wattHoursToday).toBe(2)
    await clock.advance(10_000)
    expect(told.at(-1)?.wattHoursToday).toBe(1)
  })

  it('survives a restart of the app on the same day', async () => {
    const path = join(scratchFolder(), 'energy.json')
    const first = begin([aMeter('gpu', power(360))], { path })
    await first.clock.advance(30_000)
    first.watch.stop()
    const second = begin([aMeter('gpu', power(360))], { path })
    await second.clock.advance(10_000)
    expect(second.told.at(-1)?.wattHoursToday).toBe(4)
    const nextDay = begin([aMeter('gpu', power(360))], { path, start: new Date('2026-11-18T00:00:00Z') })
    await nextDay.clock.advance(10_000)
    expect(nextDay.told.at(-1)?.wattHoursToday).toBe(1)
  })

  it('survives a crash of the app, but for a minute', async () => {
    const path = join(scratchFolder(), 'energy.json')
    await begin([aMeter('gpu', power(360))], { path }).clock.advance(120_000)
    const second = begin([aMeter('gpu', power(360))], { path })
    await second.clock.advance(0)
    expect(second.told.at(-1)?.wattHoursToday).toBeGreaterThanOrEqual(6)
  })

  it.each(['', '{', '[]', '{"day":"2026-11-17","wattHours":-1}', '{"day":"2026-11-17","wattHours":1e99}', '{"day":5}'])(
    'starts at 0 with a damaged file: %s',
    async (text) => {
      const path = join(scratchFolder(), 'energy.json')
      writeFileSync(path, text)
      const { clock, told } = begin([aMeter('gpu', power(360))], { path })
      await clock.advance(0)
      expect(told.at(-1)?.wattHoursToday).toBe(0)
    },
  )

  it('does not count time in which the machine slept or hung', async () => {
    const gpu = aMeter('gpu', power(360))
    const reads: (() => void)[] = []
    const slow: Meter = {
      part: 'gpu',
      read: async (now, signal) => {
        if (gpu.reads === 1) await new Promise<void>((resolve) => reads.push(resolve))
        return gpu.read(now, signal)
      },
    }
    const { clock, told } = begin([slow])
    await clock.advance(60_000)
    reads[0]!()
    await clock.advance(0)
    expect(told.at(-1)?.wattHoursToday).toBe(0)
    await clock.advance(10_000)
    expect(told.at(-1)?.wattHoursToday).toBe(1)
  })

  it('is nothing on a machine that measures nothing: no report, no line, no file, and no more reading', async () => {
    const [processor, gpu] = [aMeter('processor', { kind: 'none' }), aMeter('gpu', { kind: 'none' })]
    const { clock, told, said, path } = begin([processor, gpu])
    await clock.advance(600_000)
    expect([told, said, existsSync(path)]).toEqual([[], [], false])
    expect([processor.reads, gpu.reads]).toEqual([3, 3])
  })

  it.each([
    ['one of two meters', [aMeter('processor', power(50))], [0, ['processor'], 50]],
    ['the only meter', [], [1, undefined, undefined]],
  ])('is given up with one line and told once when reading %s fails again and again', async (_, others, left) => {
    const gpu = aMeter('gpu', power(100))
    const { clock, told, said } = begin([...others, gpu])
    await clock.advance(0)
    const first = told.at(-1)
    gpu.reading = { kind: 'none' }
    await clock.advance(10_000)
    expect(told.at(-1)).toMatchObject({ parts: first!.parts, watts: first!.watts })
    gpu.reading = power(100)
    await clock.advance(10_000)
    const reads = gpu.reads
    gpu.reading = { kind: 'none' }
    await clock.advance(600_000)
    expect(said).toEqual(["Can't measure the energy of the graphics card any more: restart the app to try again"])
    const last = told.at(-1)
    expect([told.filter((energy) => energy === undefined).length, last?.parts, last?.watts]).toEqual(left)
    expect(gpu.reads).toBe(reads + 3)
  })

  it('is not read any more after the app has stopped', async () => {
    const gpu = aMeter('gpu', power(100))
    const { clock, watch } = begin([gpu])
    await clock.advance(0)
    watch.stop()
    await clock.advance(600_000)
    expect(gpu.reads).toBe(1)
  })
})
