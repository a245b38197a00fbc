// Where secrets are stored. A sealed text opens only in its own place.

export const SESSION_PLACE = 'gateway_secret/session'

export type FactorField = 'secret' | 'backupCodes'

export function factorPlace(field: FactorField, person: string): string {
  return `two_factor/${field}/${person}`
}
