// The key of an administrator, as a file: the seal of an organization, or a key that the seal vouches for.

import { existsSync, renameSync } from 'node:fs'
import { CommandError } from '@hearth/command-line/errors'
import { closeToOthers } from '@hearth/command-line/files/close-to-others'
import { readObjectFile, text } from '@hearth/command-line/files/fields'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { newSigningKey, sealText, type SealTextKind, type SigningKey } from '@hearth/sealing'
import type { SealFolder } from './folder.ts'

export interface OwnKey extends SigningKey {
  /** `hs` is the seal itself. */
  kind: SealTextKind
}

const DAMAGED = 'restore it from your copy'

/** Throws CommandError if there is one already. */
export function makeOwnKey(folder: SealFolder, kind: SealTextKind): OwnKey {
  if (existsSync(folder.signingKey)) {
    const { kind: known, publicKey } = loadOwnKey(folder)
    throw new CommandError(
      `There is already a key here: ${sealText(publicKey, known)}`,
      'name another folder with --home, or add --new if this one is lost or stolen',
    )
  }
  const key = { kind, ...newSigningKey() }
  writeJson(folder.signingKey, key, { mode: 0o600 })
  return key
}

/** Returns where the key is now, or undefined if there was none. Nothing is ever deleted: it may still be needed. */
export function putAwayOwnKey({ signingKey }: SealFolder, now: Date): string | undefined {
  if (!existsSync(signingKey)) return undefined
  const place = signingKey.replace(/\.json$/, `-until-${now.toISOString().replaceAll(':', '-')}.json`)
  renameSync(signingKey, place)
  return place
}

export function loadOwnKey(folder: SealFolder): OwnKey {
  const key = findOwnKey(folder)
  if (key === undefined)
    throw new CommandError(
      `There is no key of an administrator in ${folder.path}`,
      'run hearth-seal init for a new seal, or hearth-seal init --join to become an administrator of an existing one',
    )
  return key
}

export function findOwnKey(folder: SealFolder): OwnKey | undefined {
  const fields = readObjectFile(folder.signingKey, DAMAGED)
  if (fields === undefined) return undefined
  closeToOthers(folder.signingKey)
  const { kind } = fields
  const publicKey = text(fields, 'publicKey')
  const privateKey = text(fields, 'privateKey')
  if ((kind !== 'hs' && kind !== 'ha') || publicKey === undefined || privateKey === undefined)
    throw new CommandError(`Can't read ${folder.signingKey}: the file is damaged`, DAMAGED)
  return { kind, publicKey, privateKey }
}
