// How soon each message between gateways has to leave. A client waits for its first token, and a device for its next job; what follows may
// wait for a millisecond of other messages when there are many.

import type { Haste } from '../peers/links/departure.ts'
import type { Message, Report } from '../terms/messages.ts'

/** All others leave now. */
const HASTES: Partial<Record<Message['type'], Haste>> = {
  'job-accept': 'lazy',
  'job-calls': 'paced',
  'job-annotations': 'paced',
  'job-progress': 'paced',
  'job-end': 'paced',
  device: 'paced',
  served: 'paced',
  changed: 'paced',
}

/** A scheduler needs to hear of a slot that is free, not of a device that does as expected. */
const HASTES_OF_REPORTS: Partial<Record<Report['kind'], Haste>> = {
  accepted: 'lazy',
  delivered: 'lazy',
  ended: 'paced',
}

export function hasteOf(message: Message): Haste {
  if (message.type === 'job-delta') return message.sequence === 0 ? 'now' : 'paced'
  if (message.type === 'report') return HASTES_OF_REPORTS[message.report.kind] ?? 'now'
  return HASTES[message.type] ?? 'now'
}
