// Whole replies: what a request costs with 32 clients, and what the gateway adds to the time of a lone client.

import { compare, figures, ratio, warmUp, type Comparison } from '../measuring/compare.ts'
import type { Measurement } from '../measuring/measure.ts'
import type { Measure } from '../measure.ts'
import type { Row } from '../report.ts'
import { startProcesses } from '../systems/checkouts.ts'
import { stopAll } from '../systems/system.ts'

const OURS = 'hearth, joined'
const cost = (each: Measurement) => each.cpuMicrosPerRequest

export const wholeReplies: Measure = {
  name: 'whole',
  async run(options) {
    const ours = await startProcesses(options, { frames: 'joined' })
    const systems = [...(await options.peers()), ...ours]
    await warmUp(systems, false, options)
    const lone = await compare(systems, { stream: false, connections: 1 }, options)
    const many = await compare(systems, { stream: false, connections: 32 }, options)
    await stopAll(ours)
    return [...costRows(many), ...addedRows(lone)]
  },
}

function costRows(many: Comparison): Row[] {
  return [
    {
      what: 'whole reply, 32 clients, CPU per request',
      figures: figures(many, (each) => `${cost(each).toFixed(1)} µs`),
      bars: [
        { unit: '× nginx', value: ratio(many, OURS, 'nginx', cost), most: 4 },
        { unit: '× portkey', value: ratio(many, OURS, 'portkey', cost), most: 0.1 },
      ],
    },
    {
      what: 'whole reply, 32 clients, requests/s',
      figures: figures(many, (each) => (each.requests / each.seconds).toFixed(0)),
    },
  ]
}

function addedRows(lone: Comparison): Row[] {
  const base = lone.get('upstream')!
  const p50 = (each: Measurement) => (each.firstByteP50 - base.firstByteP50) * 1_000
  const p99 = (each: Measurement) => (each.firstByteP99 - base.firstByteP99) * 1_000
  return [
    {
      what: 'whole reply, 1 client, added to the first byte, p50',
      figures: figures(lone, (each) => `${p50(each).toFixed(0)} µs`),
      bars: [{ unit: '× nginx', value: ratio(lone, OURS, 'nginx', p50), most: 3.5 }],
    },
    {
      what: 'whole reply, 1 client, added to the first byte, p99',
      figures: figures(lone, (each) => `${p99(each).toFixed(0)} µs`),
    },
    {
      what: 'whole reply, 1 client, CPU per request',
      figures: figures(lone, (each) => `${cost(each).toFixed(1)} µs`),
    },
  ]
}
