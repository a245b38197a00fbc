// What a gateway that is one of several knows about the others and its connection to them. The only gateway has no such lines.

import type { BetweenGateways } from '../fleet/fleet.ts'
import type { Metrics } from './metrics.ts'

type Samples = readonly (readonly [Readonly<Record<string, string>>, number])[]

type Sampler = (read: (now: BetweenGateways) => Samples | number) => () => Samples

export function addFleetMetrics(metrics: Metrics, between: () => BetweenGateways | undefined): void {
  const samples: Sampler = (read) => () => {
    const now = between()
    const found = now ? read(now) : []
    return typeof found === 'number' ? [[{}, found]] : found
  }
  addBusMetrics(metrics, samples)
  addPeerMetrics(metrics, samples)
}

function addBusMetrics(metrics: Metrics, samples: Sampler): void {
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
    'hearth_peer_links_up',
    'Other gateways that this one can reach',
    samples(({ links }) => links.up),
  )
  metrics.total(
    'hearth_peer_link_breaks_total',
    'How often the link to another gateway broke',
    samples(({ links }) => links.breaks),
  )
  metrics.gauge(
    'hearth_peer_link_backlog_bytes',
    'Bytes for other gateways that they have not confirmed yet',
    samples(({ links }) => links.backlogBytes),
  )
}

function addPeerMetrics(metrics: Metrics, samples: Sampler): void {
  metrics.gauge(
    'hearth_peer',
    '1 while this gateway is one of those that act together',
    samples(({ peers }) => Number(peers.hasJoined)),
  )
  metrics.gauge(
    'hearth_peers',
    'Gateways that act together, as this one knows them',
    samples(({ peers }) => peers.count),
  )
  metrics.gauge(
    'hearth_peers_generation',
    'Grows whenever a gateway joins or is gone',
    samples(({ peers }) => peers.generation),
  )
  metrics.gauge(
    'hearth_peers_settled',
    '1 while all gateways agree on who they are',
    samples(({ peers }) => Number(peers.isSettled)),
  )
  metrics.gauge(
    'hearth_peer_mandate',
    '1 while this gateway may schedule its organizations',
    samples(({ peers }) => Number(peers.hasMandate)),
  )
  metrics.gauge(
    'hearth_peer_set_aside',
    '1 while the other gateways do not hear this one, so that it schedules nothing',
    samples(({ peers }) => Number(peers.isSetAside)),
  )
  metrics.gauge(
    'hearth_peer_without_database',
    '1 while this gateway cannot renew its entry in the database',
    samples(({ peers }) => Number(peers.isWithoutDatabase)),
  )
  metrics.gauge(
    'hearth_scheduled_organizations',
    'Organizations with devices or requests that this gateway schedules',
    samples(({ scheduling }) => scheduling.organizations),
  )
  metrics.total(
    'hearth_taken_over_organizations_total',
    'Organizations that this gateway took over from another one',
    samples(({ scheduling }) => scheduling.takenOver),
  )
}

function directions(inward: number, outward: number): Samples {
  return [
    [{ direction: 'in' }, inward],
    [{ direction: 'out' }, outward],
  ]
}
