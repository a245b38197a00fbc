// At start: finds or makes the key, encrypts what earlier versions stored in plain text, and stops the gateway if the database belongs to
// another key.

import { randomBytes } from 'node:crypto'
import { SESSION_SECRET } from '../../store/people/stored-secrets.ts'
import type { Store } from '../../store/store.ts'
import { readKeys, type KeySource } from './key-source.ts'
import { KeyFile } from './key-file.ts'
import { Keyring } from './keyring.ts'
import { describeOtherKey } from './other-key.ts'
import { SESSION_CONTEXT } from './contexts.ts'
import { reseal, type Resealed } from './reseal.ts'
import { keyIdOf, type SealingKey } from './seal.ts'
import { SecretKeyError } from './secret-key-error.ts'

export interface OpenSecrets {
  /** Signs cookies. */
  session: string
  /** Undefined if this gateway has no key: then nobody can set up a second factor. */
  keyring: Keyring | undefined
}

export type SecretStore = Pick<Store, 'readGatewaySecret' | 'rewriteSecrets'>

export interface OpenKeyringOptions {
  store: SecretStore
  source: KeySource
  onWarning: (text: string) => void
}

export async function openKeyring(options: OpenKeyringOptions): Promise<OpenSecrets> {
  const { store, source, onWarning } = options
  const stored = await store.readGatewaySecret(SESSION_SECRET)
  const used = stored === undefined ? undefined : keyIdOf(stored)
  if (source.kind === 'none') return await openWithoutKey(options, used)
  if (source.kind === 'file' && used === undefined) await makeKey(source.file)
  const current = chooseKey(source, used)
  const ready = current.id === used ? current.open(SESSION_CONTEXT, stored ?? '') : undefined
  const session = ready ?? (await sealEverything(options, current))
  return { session, keyring: new Keyring({ store, source, current, onOtherKey: onWarning }) }
}

/** Gateways that start at the same moment make one key. */
function makeKey(file: KeyFile): Promise<void> {
  return file.alone(async () => {
    if (file.read().length === 0) file.write([KeyFile.newKey()])
  })
}

/** A setting wins. In a file, the database says which one counts. */
function chooseKey(source: KeySource, used: string | undefined): SealingKey {
  const keys = readKeys(source)
  const named = source.kind === 'setting' ? undefined : keys.find(({ id }) => id === used)
  const key = named ?? keys[0]
  if (!key) throw new SecretKeyError(describeOtherKey(source, used ?? 'unknown'))
  return key
}

async function sealEverything({ store, source }: OpenKeyringOptions, target: SealingKey): Promise<string> {
  const known = readKeys(source)
  // Before secrets were encrypted, a setting was also what signed cookies. Kept, so that people stay signed in.
  const setting = source.kind === 'setting' ? source.value : undefined
  const session = (plain: string | undefined) => setting ?? plain ?? newSessionSecret()
  const done = await rewrite(store, (stored) => reseal(stored, { known, target, session }))
  if (done.kind === 'sealed') return done.session
  throw new SecretKeyError(describeOtherKey(source, done.id))
}

export function newSessionSecret(): string {
  return randomBytes(32).toString('base64url')
}

export async function rewrite(store: SecretStore, change: (stored: Parameters<typeof reseal>[0]) => Resealed) {
  let done: Resealed | undefined
  await store.rewriteSecrets((stored) => {
    done = change(stored)
    return done.kind === 'sealed' ? done.stored : undefined
  })
  if (!done) throw new Error('the stored secrets were not read')
  return done
}

async function openWithoutKey({ store, source, onWarning }: OpenKeyringOptions, used: string | undefined) {
  if (used !== undefined) throw new SecretKeyError(describeOtherKey(source, used))
  let session = ''
  await store.rewriteSecrets((stored) => {
    session = stored.session ?? newSessionSecret()
    return { session, factors: [] }
  })
  onWarning(
    'SESSION_SECRET is not set: the key that signs cookies is in the database in plain text, and nobody can set up a second factor. Set it to the same random text of at least 32 characters on every gateway, and keep a copy of it apart from your database backups',
  )
  return { session, keyring: undefined }
}
