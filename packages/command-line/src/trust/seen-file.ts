// Remembers the newest documents of a seal and the programs that they name, so that no gateway can hand out older ones. hearth-seal has a
// file for all seals that it has seen; the file of a device has the one that its owner has pinned.

import type { NamedApp, Seen, SeenDocument } from '@hearth/sealing'
import { asList, count, isFields, text, type Fields } from '@hearth/sealing/fields'
import { CommandError } from '../errors.ts'
import { readObjectFile } from '../files/read-object-file.ts'
import { writeJson } from '../files/write-atomic.ts'

/** Of one seal. */
export interface Memory {
  organization: string
  seen: Seen
  /** Of the newest list. */
  apps: readonly NamedApp[]
}

const DAMAGED =
  'if you delete it, an old list of devices can no longer be noticed: compare the number that hearth-seal list shows with an administrator'

export function recall(path: string, seal: string): Memory | undefined {
  const fields = readObjectFile(path, DAMAGED)?.[seal]
  if (fields === undefined) return undefined
  const memory = isFields(fields) ? readMemory(fields) : undefined
  if (memory === undefined) throw new CommandError(`Can't read ${path}: the file is damaged`, DAMAGED)
  return memory
}

/** The seals in a file. */
export function recallSeals(path: string): string[] {
  return Object.keys(readObjectFile(path, DAMAGED) ?? {})
}

/** Another process may have seen a newer document meanwhile: the higher number stays. */
export function remember(path: string, seal: string, { organization, seen, apps }: Memory): void {
  const before = recall(path, seal)
  const administrators = newer(before?.seen.administrators, seen.administrators)
  const devices = newer(before?.seen.devices, seen.devices)
  const isSame = administrators === before?.seen.administrators && devices === before?.seen.devices
  if (before !== undefined && isSame) return
  const memory = {
    organization,
    ...(administrators && { administrators: written(administrators) }),
    ...(devices && { devices: written(devices) }),
    apps: devices === seen.devices ? apps : (before?.apps ?? apps),
  }
  writeJson(path, { ...readObjectFile(path, DAMAGED), [seal]: memory }, { mode: 0o600 })
}

/** As if nothing had been seen. */
export function forget(path: string, seal: string): void {
  const { [seal]: _, ...others } = readObjectFile(path, DAMAGED) ?? {}
  writeJson(path, others, { mode: 0o600 })
}

function newer(before: SeenDocument | undefined, now: SeenDocument | undefined): SeenDocument | undefined {
  return before && (!now || before.number >= now.number) ? before : now
}

function written({ number, hash, isChained }: SeenDocument): SeenDocument {
  return { number, hash, ...(isChained && { isChained }) }
}

function readMemory(fields: Fields): Memory | undefined {
  const organization = text(fields, 'organization')
  const administrators = readSeen(fields['administrators'])
  const devices = readSeen(fields['devices'])
  if (organization === undefined || administrators === 'damaged' || devices === 'damaged') return undefined
  const seen = { ...(administrators && { administrators }), ...(devices && { devices }) }
  return { organization, seen, apps: asList(fields['apps']).filter(isApp) }
}

export function readSeen(value: unknown): SeenDocument | undefined | 'damaged' {
  if (value === undefined) return undefined
  if (!isFields(value)) return 'damaged'
  const number = count(value, 'number')
  const hash = text(value, 'hash')
  if (number === undefined || hash === undefined) return 'damaged'
  return { number, hash, ...(value['isChained'] === true && { isChained: true }) }
}

function isApp(value: unknown): value is NamedApp {
  return isFields(value) && ['program', 'version', 'sha256'].every((name) => text(value, name) !== undefined)
}
