import type { Schemas } from '../../api/client.ts'
import type { Tone } from '../../parts/text/badge.tsx'

type Device = Schemas['Device']

const REST_WORDS = {
  paused: 'Paused by its owner',
  hours: 'Outside its hours',
  battery: 'On battery',
  sleep: 'Going to sleep',
  other: 'Not serving',
} as const satisfies Record<NonNullable<Device['rest']>['reason'], string>

export function describeDevice({ state, isPaused, running, lastSeenAt, models, conflict, rest }: Device): {
  tone: Tone
  word: string
} {
  if (state === 'offline') return { tone: 'calm', word: lastSeenAt === null ? 'Never connected' : 'Offline' }
  if (conflict !== null) return { tone: 'warn', word: 'Credential used twice' }
  if (isPaused) return { tone: 'warn', word: 'Paused' }
  if (state === 'draining') return { tone: 'warn', word: 'Stopping' }
  if (rest !== null) return { tone: 'warn', word: REST_WORDS[rest.reason] }
  if (models.length === 0) return { tone: 'warn', word: 'No models' }
  return { tone: 'good', word: running > 0 ? 'Busy' : 'Idle' }
}
