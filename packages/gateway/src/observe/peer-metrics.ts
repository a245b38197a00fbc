// Metrics of a gateway that has peers: how many it sees, and its connection to them. A gateway without peers has no such lines.

import type { BetweenGateways } from '../fleet/fleet.ts'
import type { Samples, Readings } from './metrics.ts'

export const PEER_READINGS: Readings<BetweenGateways> = {
  hearth_bus_connected: ['1 while this gateway is connected to the message bus', ({ bus }) => Number(bus.isConnected)],
  hearth_bus_messages_total: [
    'Messages between this gateway and the message bus',
    ({ bus }) => directions(bus.messagesIn, bus.messagesOut),
  ],
  hearth_bus_bytes_total: ['Bytes of these messages', ({ bus }) => directions(bus.bytesIn, bus.bytesOut)],
  hearth_bus_breaks_total: ['How often the connection to the message bus broke', ({ bus }) => bus.breaks],
  hearth_peer_links_up: ['Other gateways that this one can reach', ({ links }) => links.up],
  hearth_peer_link_breaks_total: ['How often the link to another gateway broke', ({ links }) => links.breaks],
  hearth_peer_link_backlog_bytes: [
    'Bytes for other gateways that they have not confirmed yet',
    ({ links }) => links.backlogBytes,
  ],
  hearth_peer: ['1 while this gateway is part of the group that acts together', ({ peers }) => Number(peers.hasJoined)],
  hearth_peers: ['Gateways in the group that acts together, as far as this one knows', ({ peers }) => peers.count],
  hearth_peers_generation: ['Increases whenever a gateway joins or leaves', ({ peers }) => peers.generation],
  hearth_peers_settled: ['1 while all gateways agree on who they are', ({ peers }) => Number(peers.isSettled)],
  hearth_peer_mandate: ['1 while this gateway may schedule its organizations', ({ peers }) => Number(peers.hasMandate)],
  hearth_peer_set_aside: [
    '1 while the other gateways do not hear this one, so that it schedules nothing',
    ({ peers }) => Number(peers.isSetAside),
  ],
  hearth_peer_without_database: [
    '1 while this gateway cannot renew its entry in the database',
    ({ peers }) => Number(peers.isWithoutDatabase),
  ],
  hearth_scheduled_organizations: [
    'Organizations with devices or requests that this gateway schedules',
    ({ scheduling }) => scheduling.organizations,
  ],
  hearth_taken_over_organizations_total: [
    'Organizations that this gateway took over from another one',
    ({ scheduling }) => scheduling.takenOver,
  ],
}

function directions(inward: number, outward: number): Samples {
  return [
    [{ direction: 'in' }, inward],
    [{ direction: 'out' }, outward],
  ]
}
