// Decides what is stored from now on, given what is stored and the keys that are here.

import type { StoredFactor, StoredSecrets } from '../../store/people/stored-secrets.ts'
import { factorContext, SESSION_CONTEXT } from './contexts.ts'
import { keyIdOf, type SealingKey } from './seal.ts'

export interface ResealOptions {
  /** The keys that may open something. */
  known: readonly SealingKey[]
  /** The key that seals everything. */
  target: SealingKey
  /** The secret of cookies, if none is stored, or one that is not sealed. */
  session: (plain: string | undefined) => string
}

export type Resealed =
  | { kind: 'sealed'; stored: StoredSecrets; session: string }
  /** Nothing may be written: whoever has that key could not read it. */
  | { kind: 'other-key'; id: string }

export function reseal({ session: text, factors }: StoredSecrets, options: ResealOptions): Resealed {
  const id = text === undefined ? undefined : keyIdOf(text)
  const session = id === undefined ? options.session(text) : openWith(options.known, SESSION_CONTEXT, text ?? '')
  if (session === undefined) return { kind: 'other-key', id: id ?? '' }
  const stored = {
    session: options.target.seal(SESSION_CONTEXT, session),
    factors: factors.flatMap((factor) => resealFactor(factor, options) ?? []),
  }
  return { kind: 'sealed', stored, session }
}

/** Undefined for one whose key was lost: it stays as it is, until the operator resets it. */
function resealFactor(factor: StoredFactor, { known, target }: ResealOptions): StoredFactor | undefined {
  const reseal = (field: 'secret' | 'backupCodes') => {
    const context = factorContext(field, factor.person)
    const text = keyIdOf(factor[field]) === undefined ? factor[field] : openWith(known, context, factor[field])
    return text === undefined ? undefined : target.seal(context, text)
  }
  const [secret, backupCodes] = [reseal('secret'), reseal('backupCodes')]
  return secret === undefined || backupCodes === undefined ? undefined : { ...factor, secret, backupCodes }
}

export function openWith(keys: readonly SealingKey[], context: string, sealed: string): string | undefined {
  const id = keyIdOf(sealed)
  return keys.find((key) => key.id === id)?.open(context, sealed)
}
