// Devices, the queue, and how jobs got to their device.

import type { FleetStats } from '../fleet/fleet.ts'
import type { Reading } from './readings.ts'

export const FLEET_READINGS: readonly Reading<FleetStats>[] = [
  {
    kind: 'gauge',
    name: 'hearth_links',
    help: 'Devices connected',
    read: ({ links }) => links,
  },
  {
    kind: 'counter',
    name: 'hearth_links_superseded_total',
    help: 'Connections replaced by a newer one of the same device',
    read: ({ supersededLinks }) => supersededLinks,
  },
  {
    kind: 'counter',
    name: 'hearth_links_refused_total',
    help: 'Connections rejected because another machine uses the same credential',
    read: ({ refusedLinks }) => refusedLinks,
  },
  {
    kind: 'gauge',
    name: 'hearth_queued_jobs',
    help: 'Jobs waiting for a device',
    read: ({ queued }) => queued,
  },
  {
    kind: 'gauge',
    name: 'hearth_queue_oldest_seconds',
    help: 'Waiting time of the oldest queued job',
    read: ({ oldestWaitMs }) => oldestWaitMs / 1000,
  },
  {
    kind: 'gauge',
    name: 'hearth_running_jobs',
    help: 'Jobs running on a device',
    read: ({ running }) => running,
  },
  {
    kind: 'gauge',
    name: 'hearth_leases',
    help: 'Slots held by jobs, including canceled ones until the device confirms',
    read: ({ leases }) => leases,
  },
  {
    kind: 'gauge',
    name: 'hearth_suspect_slots',
    help: 'Slots whose device did not confirm a cancellation in time',
    read: ({ suspectSlots }) => suspectSlots,
  },
  {
    kind: 'counter',
    name: 'hearth_second_offers_total',
    help: 'Jobs offered to a second device because the first did not answer within a second',
    read: ({ secondOffers }) => secondOffers,
  },
  {
    kind: 'counter',
    name: 'hearth_second_offers_won_total',
    help: 'Jobs that the second device accepted first',
    read: ({ secondOffersWon }) => secondOffersWon,
  },
  {
    kind: 'counter',
    name: 'hearth_continued_replies_total',
    help: 'Replies that a device continued after another one was lost',
    read: ({ continuedReplies }) => continuedReplies,
  },
]
