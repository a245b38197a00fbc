// Devices, the queue, and how jobs got to their device.

import type { FleetStats } from '../fleet/fleet.ts'
import type { Readings } from './metrics.ts'

export const FLEET_READINGS: Readings<FleetStats> = {
  hearth_links: ['Devices connected', ({ links }) => links],
  hearth_links_superseded_total: [
    'Connections replaced by a newer one of the same device',
    ({ supersededLinks }) => supersededLinks,
  ],
  hearth_links_refused_total: [
    'Connections rejected because another machine uses the same credential',
    ({ refusedLinks }) => refusedLinks,
  ],
  hearth_queued_jobs: ['Jobs waiting for a device', ({ queued }) => queued],
  hearth_queue_oldest_seconds: ['Waiting time of the oldest queued job', ({ oldestWaitMs }) => oldestWaitMs / 1000],
  hearth_running_jobs: ['Jobs running on a device', ({ running }) => running],
  hearth_leases: ['Slots held by jobs, including canceled ones until the device confirms', ({ leases }) => leases],
  hearth_suspect_slots: [
    'Slots whose device did not confirm a cancellation in time',
    ({ suspectSlots }) => suspectSlots,
  ],
  hearth_second_offers_total: [
    'Jobs offered to a second device because the first did not answer within a second',
    ({ secondOffers }) => secondOffers,
  ],
  hearth_second_offers_won_total: [
    'Jobs that the second device accepted first',
    ({ secondOffersWon }) => secondOffersWon,
  ],
  hearth_continued_replies_total: [
    'Replies that a device continued after another one was lost',
    ({ continuedReplies }) => continuedReplies,
  ],
}
