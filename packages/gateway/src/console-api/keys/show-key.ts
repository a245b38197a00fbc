import type { Key } from '../../store/keys/key-rows.ts'
import { stateOf } from './key-state.ts'

export function showKey(key: Key, reader: string, now = Date.now()) {
  const { id, name, hint, createdBy, createdByName, createdAt, expiresAt, lastUsedAt, models, limits, previous } = key
  return {
    id,
    name,
    hint,
    state: stateOf(key, now),
    createdBy: { person: createdBy, name: createdByName },
    isYours: createdBy === reader,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    models: models ?? null,
    limits,
    previous: showPrevious(previous, now),
  }
}

function showPrevious(previous: Key['previous'], now: number) {
  if (!previous || previous.endsAt.getTime() <= now) return null
  return { hint: previous.hint, endsAt: previous.endsAt.toISOString() }
}
