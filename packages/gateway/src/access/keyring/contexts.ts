// What each secret is sealed with besides the key: a sealed text opens only in its own context.

export const SESSION_CONTEXT = 'gateway_secret/session'

export type FactorField = 'secret' | 'backupCodes'

export function factorContext(field: FactorField, person: string): string {
  return `two_factor/${field}/${person}`
}
