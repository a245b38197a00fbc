// The key of an administrator, as a file: the seal of an organization, or a key that the seal vouches for.

import { existsSync, renameSync } from 'node:fs'
import { CommandError } from '@hearth/command-line/errors'
import { closeToOthers } from '@hearth/command-line/files/close-to-others'
import { isFields, text, word } from '@hearth/sealing/fields'
import { readObjectFile } from '@hearth/command-line/files/read-object-file'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { readSeen } from '@hearth/command-line/trust/seen-file'
import { newSigningKey, sealText, type Seen, type SealTextKind, type SigningKey } from '@hearth/sealing'
import type { SealFolder } from './folder.ts'

export interface OwnKey extends SigningKey {
  /** `hs` is the seal itself. */
  kind: SealTextKind
  /** The newest documents that it has signed. A copy of the file knows those from before it was made. */
  signed: Seen
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
  const key = { kind, ...newSigningKey(), signed: {} }
  saveOwnKey(folder, key)
  return key
}

export function saveOwnKey(folder: SealFolder, key: OwnKey): void {
  writeJson(folder.signingKey, key, { mode: 0o600 })
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
  const { signed } = fields
  const kind = word(fields, 'kind', ['hs', 'ha'])
  const publicKey = text(fields, 'publicKey')
  const privateKey = text(fields, 'privateKey')
  const [administrators, devices] = isFields(signed)
    ? [readSeen(signed['administrators']), readSeen(signed['devices'])]
    : []
  const isDamaged = administrators === 'damaged' || devices === 'damaged'
  if (kind === undefined || publicKey === undefined || privateKey === undefined || isDamaged)
    throw new CommandError(`Can't read ${folder.signingKey}: the file is damaged`, DAMAGED)
  return {
    kind,
    publicKey,
    privateKey,
    signed: { ...(administrators && { administrators }), ...(devices && { devices }) },
  }
}
