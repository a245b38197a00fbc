import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import type { Reading } from './meter.ts'
import { createProcessorMeter } from './rapl.ts'

const RANGE = '262143328850'

interface Zone {
  name?: string
  energy_uj?: string
  max_energy_range_uj?: string
}

function openMachine() {
  const root = scratchFolder()
  const folder = (zone: string): string => join(root, 'sys/class/powercap', zone)
  const put = (zone: string, files: Zone): void => {
    mkdirSync(folder(zone), { recursive: true })
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder(zone), file), `${text}\n`)
  }
  const meter = createProcessorMeter(root)
  const read = (seconds: number) => meter.read(seconds * 1_000, new AbortController().signal)
  return { folder, put, read }
}

function zone(name: string, energy_uj: string, max_energy_range_uj = RANGE): Zone {
  return { name, energy_uj, max_energy_range_uj }
}

describe('the energy counters of a processor', () => {
  it('give the average power since the last reading, of packages and memory together', async () => {
    const { put, read } = openMachine()
    put('intel-rapl:0', zone('package-0', '1000000'))
    put('intel-rapl:0:0', zone('dram', '500000'))
    expect(await read(0)).toEqual({ kind: 'begun' })
    put('intel-rapl:0', zone('package-0', '601000000'))
    put('intel-rapl:0:0', zone('dram', '50500000'))
    expect(await read(10)).toEqual({ kind: 'power', watts: 65 })
  })

  it('are not counted twice: parts of a package, a second view of it and the whole platform are left out', async () => {
    const { put, read } = openMachine()
    const others: [string, string][] = [
      ['intel-rapl:0:0', 'core'],
      ['intel-rapl:0:1', 'uncore'],
      ['intel-rapl-mmio:0', 'package-0'],
      ['intel-rapl:1', 'psys'],
      ['intel-rapl', 'package-9'],
      ['dtpm:0', 'package-8'],
    ]
    put('intel-rapl:0', zone('package-0', '0'))
    for (const [path, name] of others) put(path, zone(name, '0'))
    await read(0)
    put('intel-rapl:0', zone('package-0', '100000000'))
    for (const [path, name] of others) put(path, zone(name, '900000000'))
    expect(await read(10)).toEqual({ kind: 'power', watts: 10 })
  })

  it.each<[string, string, string, Reading]>([
    ['start again at their end', '262143000000', '99671150', { kind: 'power', watts: 10 }],
    ['say nothing when they began anew, as after a sleep', '131000000000', '0', { kind: 'begun' }],
  ])('%s', async (_claim, before, after, reading) => {
    const { put, read } = openMachine()
    put('intel-rapl:0', zone('package-0', before))
    await read(0)
    put('intel-rapl:0', zone('package-0', after))
    expect(await read(10)).toEqual(reading)
    put('intel-rapl:0', zone('package-0', String(Number(after) + 50_000_000)))
    expect(await read(20)).toEqual({ kind: 'power', watts: 5 })
  })

  it('may come and go', async () => {
    const { put, read, folder } = openMachine()
    put('intel-rapl:0', zone('package-0', '0'))
    await read(0)
    put('intel-rapl:0', zone('package-0', '20000000'))
    put('intel-rapl:1', zone('package-1', '20000000'))
    expect(await read(1)).toEqual({ kind: 'power', watts: 20 })
    rmSync(folder('intel-rapl:0'), { recursive: true })
    rmSync(folder('intel-rapl:1'), { recursive: true })
    expect(await read(2)).toEqual({ kind: 'none' })
    put('intel-rapl:0', zone('package-0', '20000000'))
    expect(await read(3)).toEqual({ kind: 'begun' })
  })

  it.each<[string, Zone | undefined]>([
    ['no counter', undefined],
    ['no value', { name: 'package-0', max_energy_range_uj: RANGE }],
    ['no range', { name: 'package-0', energy_uj: '1' }],
    ['no name', { energy_uj: '1', max_energy_range_uj: RANGE }],
    ['a negative value', zone('package-0', '-5')],
    ['an empty value', zone('package-0', '')],
    ['words', zone('package-0', 'lots')],
    ['decimals', zone('package-0', '1.5')],
    ['more than a number can hold', zone('package-0', '9'.repeat(30))],
    ['a value beyond its range', zone('package-0', '11', '10')],
  ])('are none with %s', async (_case, files) => {
    const { put, read } = openMachine()
    if (files !== undefined) put('intel-rapl:0', files)
    expect(await read(0)).toEqual({ kind: 'none' })
  })

  it('are none if this account may not read them', async () => {
    const { put, read, folder } = openMachine()
    put('intel-rapl:0', zone('package-0', '1'))
    const file = join(folder('intel-rapl:0'), 'energy_uj')
    // Root can read everything, except a folder in the place of a file.
    chmodSync(file, 0)
    if (process.getuid?.() === 0) {
      rmSync(file)
      mkdirSync(file)
    }
    expect(await read(0)).toEqual({ kind: 'none' })
  })
})
