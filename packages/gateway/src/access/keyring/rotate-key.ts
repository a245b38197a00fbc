// Replaces the key. Whenever it is interrupted, the key that the database names is in the file, or in the operator's hands.

import { SESSION_SECRET, type StoredSecrets } from '../../store/people/stored-secrets.ts'
import { KeyFile } from './key-file.ts'
import { readKeys, type KeySource } from './key-source.ts'
import { newSessionSecret, rewrite, type SecretStore } from './open-keyring.ts'
import { SESSION_CONTEXT } from './contexts.ts'
import { openWith, reseal } from './reseal.ts'
import { keyIdOf, sealingKey, type SealingKey } from './seal.ts'

export type Rotated =
  | { kind: 'rotated'; id: string; factors: number }
  | { kind: 'other-key'; id: string }
  /** No gateway has started on this database yet. */
  | { kind: 'nothing-sealed' }

/** In a file: the new key is on the disk before anything uses it, and the old one stays until nothing does. */
export function rotateFile(store: SecretStore, file: KeyFile): Promise<Rotated> {
  return file.alone(async () => {
    const before = file.read()
    const used = keyIdOf((await store.readGatewaySecret(SESSION_SECRET)) ?? '')
    if (used === undefined) return { kind: 'nothing-sealed' }
    if (!before.some((key) => sealingKey(key).id === used)) return { kind: 'other-key', id: used }
    const fresh = KeyFile.newKey()
    file.write([fresh, ...before])
    const rotated = await sealAgain(store, before.map(sealingKey), sealingKey(fresh))
    file.write(rotated.kind === 'rotated' ? [fresh] : before)
    return rotated
  })
}

/** From one setting, or the key file, to another setting. Can be repeated. */
export function rotateSetting(store: SecretStore, source: KeySource, next: string): Promise<Rotated> {
  return sealAgain(store, readKeys(source), sealingKey(next))
}

async function sealAgain(store: SecretStore, before: readonly SealingKey[], target: SealingKey): Promise<Rotated> {
  const known = [...before, target]
  const session = (plain: string | undefined) => plain ?? newSessionSecret()
  const done = await rewrite(store, (stored) => reseal(stored, { known, target, session }))
  if (done.kind === 'other-key') return done
  return { kind: 'rotated', id: target.id, factors: done.stored.factors.length }
}

export type StartedOver = { kind: 'started-over'; id: string } | { kind: 'key-works'; id: string }

/** For a key that is lost. Cookies get a new secret. Second factors stay as they are, and nobody can read them: turning them off would let everyone in who knows a password. */
export async function startOver(
  store: SecretStore,
  keys: readonly SealingKey[],
  target: SealingKey,
): Promise<StartedOver> {
  let done: StartedOver = { kind: 'key-works', id: target.id }
  await store.rewriteSecrets((stored: StoredSecrets) => {
    if (stored.session === undefined || openWith(keys, SESSION_CONTEXT, stored.session) !== undefined) return undefined
    done = { kind: 'started-over', id: target.id }
    return { session: target.seal(SESSION_CONTEXT, newSessionSecret()), factors: [] }
  })
  return done
}
