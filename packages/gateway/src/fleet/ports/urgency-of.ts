// How soon each message between gateways has to leave. A client waits for its first token, and a device for its next job; what follows may
// wait for a millisecond of other messages when there are many.

import type { Urgency } from '../peers/links/departure.ts'
import type { Message } from '../terms/messages.ts'

/** All others leave now. */
const URGENCIES: Partial<Record<Message['type'], Urgency>> = {
  'job-accept': 'lazy',
  accepted: 'lazy',
  'job-calls': 'paced',
  'job-annotations': 'paced',
  'job-progress': 'paced',
  'job-end': 'paced',
  settled: 'paced',
  freed: 'paced',
  'slot-report': 'paced',
  served: 'paced',
  changed: 'paced',
}

export function urgencyOf(message: Message): Urgency {
  if (message.type === 'job-delta') return message.sequence === 0 ? 'now' : 'paced'
  return URGENCIES[message.type] ?? 'now'
}
