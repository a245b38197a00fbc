// Metrics of a gateway that has peers: how many it sees, and its connection to them. A gateway without peers has no such lines.

import type { BetweenGateways } from '../fleet/fleet.ts'
import type { Samples } from './metrics.ts'
import type { Reading } from './readings.ts'

export const PEER_READINGS: readonly Reading<BetweenGateways>[] = [
  {
    kind: 'gauge',
    name: 'hearth_bus_connected',
    help: '1 while this gateway is connected to the message bus',
    read: ({ bus }) => Number(bus.isConnected),
  },
  {
    kind: 'counter',
    name: 'hearth_bus_messages_total',
    help: 'Messages between this gateway and the message bus',
    read: ({ bus }) => directions(bus.messagesIn, bus.messagesOut),
  },
  {
    kind: 'counter',
    name: 'hearth_bus_bytes_total',
    help: 'Bytes of these messages',
    read: ({ bus }) => directions(bus.bytesIn, bus.bytesOut),
  },
  {
    kind: 'counter',
    name: 'hearth_bus_breaks_total',
    help: 'How often the connection to the message bus broke',
    read: ({ bus }) => bus.breaks,
  },
  {
    kind: 'gauge',
    name: 'hearth_peer_links_up',
    help: 'Other gateways that this one can reach',
    read: ({ links }) => links.up,
  },
  {
    kind: 'counter',
    name: 'hearth_peer_link_breaks_total',
    help: 'How often the link to another gateway broke',
    read: ({ links }) => links.breaks,
  },
  {
    kind: 'gauge',
    name: 'hearth_peer_link_backlog_bytes',
    help: 'Bytes for other gateways that they have not confirmed yet',
    read: ({ links }) => links.backlogBytes,
  },
  {
    kind: 'gauge',
    name: 'hearth_peer',
    help: '1 while this gateway is part of the group that acts together',
    read: ({ peers }) => Number(peers.hasJoined),
  },
  {
    kind: 'gauge',
    name: 'hearth_peers',
    help: 'Gateways in the group that acts together, as far as this one knows',
    read: ({ peers }) => peers.count,
  },
  {
    kind: 'gauge',
    name: 'hearth_peers_generation',
    help: 'Increases whenever a gateway joins or leaves',
    read: ({ peers }) => peers.generation,
  },
  {
    kind: 'gauge',
    name: 'hearth_peers_settled',
    help: '1 while all gateways agree on who they are',
    read: ({ peers }) => Number(peers.isSettled),
  },
  {
    kind: 'gauge',
    name: 'hearth_peer_mandate',
    help: '1 while this gateway may schedule its organizations',
    read: ({ peers }) => Number(peers.hasMandate),
  },
  {
    kind: 'gauge',
    name: 'hearth_peer_set_aside',
    help: '1 while the other gateways do not hear this one, so that it schedules nothing',
    read: ({ peers }) => Number(peers.isSetAside),
  },
  {
    kind: 'gauge',
    name: 'hearth_peer_without_database',
    help: '1 while this gateway cannot renew its entry in the database',
    read: ({ peers }) => Number(peers.isWithoutDatabase),
  },
  {
    kind: 'gauge',
    name: 'hearth_scheduled_organizations',
    help: 'Organizations with devices or requests that this gateway schedules',
    read: ({ scheduling }) => scheduling.organizations,
  },
  {
    kind: 'counter',
    name: 'hearth_taken_over_organizations_total',
    help: 'Organizations that this gateway took over from another one',
    read: ({ scheduling }) => scheduling.takenOver,
  },
]

function directions(inward: number, outward: number): Samples {
  return [
    [{ direction: 'in' }, inward],
    [{ direction: 'out' }, outward],
  ]
}
