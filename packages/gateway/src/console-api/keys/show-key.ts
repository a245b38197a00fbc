import type { Key } from '../../store/keys/key-rows.ts'

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

type KeyState = 'active' | 'disabled' | 'expired' | 'revoked'

function stateOf({ revokedAt, expiresAt, disabledAt }: Key, now = Date.now()): KeyState {
  if (revokedAt) return 'revoked'
  if (expiresAt && expiresAt.getTime() <= now) return 'expired'
  return disabledAt ? 'disabled' : 'active'
}
