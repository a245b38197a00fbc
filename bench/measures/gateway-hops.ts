// The cost of tokens when the device is connected to another gateway than the client, compared with one gateway alone and with three gateways
// whose clients and devices are connected to the same one.

import { compare, figures, ratio, warmUp, type Comparison } from '../measuring/compare.ts'
import type { Measurement } from '../measuring/measure.ts'
import { STEPS_PER_SECOND, TOKENS } from '../gateway/tokens.ts'
import type { BenchOptions, Measure } from '../measure.ts'
import type { Row } from '../report.ts'
import { startHearth, type Hearth, type HearthOptions } from '../systems/hearth.ts'
import { startSeveral } from '../systems/several.ts'
import { stopAll } from '../systems/system.ts'
import { costsPerToken, SLOTS_PER_DEVICE } from './slow-streams.ts'

const perToken = (each: Measurement) => each.cpuMicrosPerRequest / TOKENS.length
const firstByte = (each: Measurement) => each.firstByteP50

type Load = Required<Pick<HearthOptions, 'frames' | 'size'>>

export const gatewayHops: Measure = {
  name: 'hops',
  async run(options) {
    return [...(await burstRows(options)), await slowRow(options)]
  },
}

async function startAll(load: Load): Promise<Hearth[]> {
  return [
    { ...(await startHearth(load)), name: 'one gateway' },
    { ...(await startSeveral({ ...load, devices: 'near' })), name: 'three, same' },
    { ...(await startSeveral({ ...load, devices: 'far' })), name: 'three, another' },
  ]
}

async function burstRows(options: BenchOptions): Promise<Row[]> {
  const systems = await startAll({ frames: 'separate', size: { keys: 1, devices: 1 } })
  await warmUp(systems, true, options)
  const bursts = await compare(systems, { stream: true, connections: 32 }, options)
  const alone = await compare(systems, { stream: true, connections: 1 }, options)
  await stopAll(systems)
  return [
    {
      what: "stream burst, 32 clients, all gateways' CPU per token",
      figures: figures(bursts, (each) => `${perToken(each).toFixed(2)} µs`),
      bars: [{ unit: '× one gateway', value: ratio(bursts, 'three, another', 'one gateway', perToken), most: 2 }],
    },
    {
      what: 'stream, 1 client, first byte, p50',
      figures: figures(alone, (each) => `${firstByte(each).toFixed(2)} ms`),
      bars: [{ unit: 'ms added', value: added(alone, 'three, another', 'one gateway'), most: 1.5 }],
    },
  ]
}

function added(comparison: Comparison, name: string, peer: string): number {
  return firstByte(comparison.get(name)!) - firstByte(comparison.get(peer)!)
}

async function slowRow(options: BenchOptions): Promise<Row> {
  const streams = options.isQuick ? 250 : 1_000
  const systems = await startAll({
    frames: 'paced',
    size: { keys: 1, devices: Math.ceil(streams / SLOTS_PER_DEVICE) },
  })
  const costs = await costsPerToken(systems, streams, options)
  await stopAll(systems)
  return {
    what: `${streams} streams at ${STEPS_PER_SECOND} tokens/s each, all gateways' CPU per token`,
    figures: Object.fromEntries([...costs].map(([name, micros]) => [name, `${micros.toFixed(1)} µs`])),
    bars: [{ unit: '× one gateway', value: costs.get('three, another')! / costs.get('one gateway')!, most: 2 }],
  }
}
