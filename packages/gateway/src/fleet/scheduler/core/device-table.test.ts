import type { DeviceModel } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { ModelQueues } from './model-queues.ts'
import type { ServedModel } from './state.ts'
import { DeviceTable } from './device-table.ts'

/** The device comes, `use` happens to its models, it leaves and comes again. Returns its models before and after. */
function comeAgain(names: readonly string[], use: (served: ServedModel) => void): [ServedModel[], ServedModel[]] {
  const table = new DeviceTable(new ModelQueues())
  const models = names.map((name): DeviceModel => ({ name, contextLength: 1, slots: 1, features: [] }))
  const come = (epoch: number) => {
    const device = table.link('d', epoch, '', '')
    table.announce(device, models, 0, () => {})
    return device
  }
  const device = come(1)
  const before = [...device.served.values()]
  before.forEach(use)
  table.unlink(device)
  return [before, [...come(2).served.values()]]
}

const NAMES = Array.from({ length: 256 }, (_, index) => `m${index}`)

describe('a device that comes again', () => {
  it('has the speeds that were measured before', () => {
    const [[before], [after]] = comeAgain(['m'], ({ pace }) => pace.reading.add(1_000, 500))
    expect(after!.pace).toBe(before!.pace)
  })

  it('leaves nothing behind of models that it only announced', () => {
    const [before, after] = comeAgain(NAMES, () => undefined)
    expect(after.filter(({ pace }, index) => pace === before[index]!.pace)).toEqual([])
  })

  it('leaves the speeds of sixteen models at most', () => {
    const [before, after] = comeAgain(NAMES, ({ pace }) => pace.reading.add(1_000, 500))
    expect(after.filter(({ pace }, index) => pace === before[index]!.pace)).toHaveLength(16)
  })
})
