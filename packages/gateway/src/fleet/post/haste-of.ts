// How soon each message between gateways has to leave. A client waits for its first token, and a device for its next job; what follows may
// wait for a millisecond of other messages when there are many.

import type { Haste } from '../peers/links/departure.ts'
import type { Message } from '../terms/messages.ts'

/** All others leave now. */
const HASTES: Partial<Record<Message['type'], Haste>> = {
  'job-accept': 'lazy',
  answered: 'lazy',
  'job-calls': 'paced',
  'job-annotations': 'paced',
  'job-progress': 'paced',
  'job-end': 'paced',
  settled: 'paced',
  freed: 'paced',
  device: 'paced',
  served: 'paced',
  changed: 'paced',
}

export function hasteOf(message: Message): Haste {
  if (message.type === 'job-delta') return message.sequence === 0 ? 'now' : 'paced'
  return HASTES[message.type] ?? 'now'
}
