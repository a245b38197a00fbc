// What a gateway that is one of several knows about its connection to the others. The only gateway has no such lines.

import type { BetweenGateways } from '../fleet/fleet.ts'
import type { Metrics } from './metrics.ts'

type Samples = readonly (readonly [Readonly<Record<string, string>>, number])[]

export function addBusMetrics(metrics: Metrics, between: () => BetweenGateways | undefined): void {
  const samples = (read: (now: BetweenGateways) => Samples | number) => (): Samples => {
    const now = between()
    const found = now ? read(now) : []
    return typeof found === 'number' ? [[{}, found]] : found
  }
  metrics.gauge(
    'hearth_bus_connected',
    '1 while this gateway is connected to the message bus',
    samples(({ bus }) => Number(bus.isConnected)),
  )
  metrics.total(
    'hearth_bus_messages_total',
    'Messages between this gateway and the message bus',
    samples(({ bus }) => directions(bus.messagesIn, bus.messagesOut)),
  )
  metrics.total(
    'hearth_bus_bytes_total',
    'Bytes of these messages',
    samples(({ bus }) => directions(bus.bytesIn, bus.bytesOut)),
  )
  metrics.total(
    'hearth_bus_breaks_total',
    'How often the connection to the message bus broke',
    samples(({ bus }) => bus.breaks),
  )
  metrics.gauge(
    'hearth_wires_up',
    'Other gateways that this one can reach',
    samples(({ wires }) => wires.up),
  )
  metrics.total(
    'hearth_wire_breaks_total',
    'How often the wire to another gateway broke',
    samples(({ wires }) => wires.breaks),
  )
  metrics.gauge(
    'hearth_wire_backlog_bytes',
    'Bytes for other gateways that they have not confirmed yet',
    samples(({ wires }) => wires.backlogBytes),
  )
}

function directions(inward: number, outward: number): Samples {
  return [
    [{ direction: 'in' }, inward],
    [{ direction: 'out' }, outward],
  ]
}
