import type { Key } from '../../store/keys/key-rows.ts'

type KeyState = 'active' | 'disabled' | 'expired' | 'revoked'

export function stateOf({ revokedAt, expiresAt, disabledAt }: Key, now = Date.now()): KeyState {
  if (revokedAt) return 'revoked'
  if (expiresAt && expiresAt.getTime() <= now) return 'expired'
  return disabledAt ? 'disabled' : 'active'
}
