import type { Key } from '../store/store.ts'

export function stateOf({ revokedAt, expiresAt }: Key, now = Date.now()): 'active' | 'expired' | 'revoked' {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt.getTime() <= now ? 'expired' : 'active'
}
