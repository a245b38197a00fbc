// What the metrics page reads off the fleet: devices, the queue, and how jobs got to their device; and, if the gateway has peers, how many it
// sees and its connection to them. A gateway without peers has no such lines.

import type { BetweenGateways, FleetStats } from '../fleet/fleet.ts'
import { addReadings, type Metrics, type Readings, type Samples } from './metrics.ts'

const FLEET: Readings<FleetStats> = {
  hearth_links: ['Devices connected', 'links'],
  hearth_links_superseded_total: ['Connections replaced by a newer one of the same device', 'supersededLinks'],
  hearth_links_refused_total: ['Connections rejected because another machine uses the same credential', 'refusedLinks'],
  hearth_queued_jobs: ['Jobs waiting for a device', 'queued'],
  hearth_queue_oldest_seconds: ['Waiting time of the oldest queued job', ({ oldestWaitMs }) => oldestWaitMs / 1000],
  hearth_running_jobs: ['Jobs running on a device', 'running'],
  hearth_leases: ['Slots held by jobs, including canceled ones until the device confirms', 'leases'],
  hearth_suspect_slots: ['Slots whose device did not confirm a cancellation in time', 'suspectSlots'],
  hearth_second_offers_total: [
    'Jobs offered to a second device because the first did not answer within a second',
    'secondOffers',
  ],
  hearth_second_offers_won_total: ['Jobs that the second device accepted first', 'secondOffersWon'],
  hearth_continued_replies_total: ['Replies that a device continued after another one was lost', 'continuedReplies'],
}

const BUS: Readings<BetweenGateways['bus']> = {
  hearth_bus_connected: ['1 while this gateway is connected to the message bus', 'isConnected'],
  hearth_bus_messages_total: [
    'Messages between this gateway and the message bus',
    ({ messagesIn, messagesOut }) => directions(messagesIn, messagesOut),
  ],
  hearth_bus_bytes_total: ['Bytes of these messages', ({ bytesIn, bytesOut }) => directions(bytesIn, bytesOut)],
  hearth_bus_breaks_total: ['How often the connection to the message bus broke', 'breaks'],
}

const LINKS: Readings<BetweenGateways['links']> = {
  hearth_peer_links_up: ['Other gateways that this one can reach', 'up'],
  hearth_peer_link_breaks_total: ['How often the link to another gateway broke', 'breaks'],
  hearth_peer_link_backlog_bytes: ['Bytes for other gateways that they have not confirmed yet', 'backlogBytes'],
}

const PEERS: Readings<BetweenGateways['peers']> = {
  hearth_peer: ['1 while this gateway is part of the group that acts together', 'hasJoined'],
  hearth_peers: ['Gateways in the group that acts together, as far as this one knows', 'count'],
  hearth_peers_generation: ['Increases whenever a gateway joins or leaves', 'generation'],
  hearth_peers_settled: ['1 while all gateways agree on who they are', 'isSettled'],
  hearth_peer_leader: ['1 while this gateway may schedule its organizations', 'hasLeadership'],
  hearth_peer_isolated: ['1 while the other gateways do not hear this one, so that it schedules nothing', 'isIsolated'],
  hearth_peer_without_database: ['1 while this gateway cannot renew its entry in the database', 'isWithoutDatabase'],
}

/** Their names until 0.2: dashboards have one version to follow. */
const PEERS_BEFORE: Readings<BetweenGateways['peers']> = {
  hearth_peer_mandate: ['Deprecated: use hearth_peer_leader', 'hasLeadership'],
  hearth_peer_set_aside: ['Deprecated: use hearth_peer_isolated', 'isIsolated'],
}

const SCHEDULING: Readings<BetweenGateways['scheduling']> = {
  hearth_scheduled_organizations: [
    'Organizations with devices or requests that this gateway schedules',
    'organizations',
  ],
  hearth_taken_over_organizations_total: ['Organizations that this gateway took over from another one', 'takenOver'],
}

export function addFleetReadings(metrics: Metrics, find: () => FleetStats | undefined): void {
  addReadings(metrics, FLEET, find)
  addReadings(metrics, BUS, () => find()?.between?.bus)
  addReadings(metrics, LINKS, () => find()?.between?.links)
  addReadings(metrics, PEERS, () => find()?.between?.peers)
  addReadings(metrics, PEERS_BEFORE, () => find()?.between?.peers)
  addReadings(metrics, SCHEDULING, () => find()?.between?.scheduling)
}

function directions(inward: number, outward: number): Samples {
  return [
    [{ direction: 'in' }, inward],
    [{ direction: 'out' }, outward],
  ]
}
