// Where the key comes from that encrypts the secrets in the database.

import { join } from 'node:path'
import { KeyFile } from './key-file.ts'
import { sealingKey, type SealingKey } from './seal.ts'

export type KeySource =
  | { kind: 'setting'; value: string; file: KeyFile | undefined }
  | { kind: 'file'; file: KeyFile }
  /** PostgreSQL elsewhere: each gateway has its own disk, which may not even survive a restart. */
  | { kind: 'none' }

export const KEY_FILE = 'secret-key'

export function keySource(databaseUrl: string, sessionSecret: string): KeySource {
  const [, folder] = /^embedded:(?:\/\/)?(.+)$/s.exec(databaseUrl) ?? []
  const file = folder === undefined ? undefined : new KeyFile(join(folder, KEY_FILE))
  if (sessionSecret !== '') return { kind: 'setting', value: sessionSecret, file }
  return file ? { kind: 'file', file } : { kind: 'none' }
}

/** The one to use first. With a setting, a key file still opens what was written before the setting was there. */
export function readKeys(source: KeySource): SealingKey[] {
  switch (source.kind) {
    case 'setting':
      return [source.value, ...(source.file?.read() ?? [])].map(sealingKey)
    case 'file':
      return source.file.read().map(sealingKey)
    case 'none':
      return []
    default:
      return source satisfies never
  }
}
