// Remembers the newest documents of each seal, so that no gateway can hand out older ones. Commands and the proxy share the file.

import { CommandError } from '@hearth/command-line/errors'
import { count, isFields, readObjectFile, text, type Fields } from '@hearth/command-line/files/fields'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import type { Seen, SeenDocument } from '@hearth/sealing'
import type { SealFolder } from './folder.ts'

/** Of one seal. */
export interface Memory {
  organization: string
  seen: Seen
}

const DAMAGED =
  'if you delete it, hearth-seal can no longer notice an old list of devices: compare the number that hearth-seal list shows with an administrator'

export function recall(folder: SealFolder, seal: string): Memory | undefined {
  const memories = readObjectFile(folder.seen, DAMAGED)
  const fields = memories?.[seal]
  if (fields === undefined) return undefined
  const memory = isFields(fields) ? readMemory(fields) : undefined
  if (memory === undefined) throw new CommandError(`Can't read ${folder.seen}: the file is damaged`, DAMAGED)
  return memory
}

/** Another process may have seen a newer document meanwhile: the higher number stays. */
export function remember(folder: SealFolder, seal: string, { organization, seen }: Memory): void {
  const before = recall(folder, seal)?.seen
  const administrators = newer(before?.administrators, seen.administrators)
  const devices = newer(before?.devices, seen.devices)
  if (!administrators && !devices) return
  if (administrators === before?.administrators && devices === before?.devices) return
  const memory = { organization, ...(administrators && { administrators }), ...(devices && { devices }) }
  writeJson(folder.seen, { ...readObjectFile(folder.seen, DAMAGED), [seal]: memory }, { mode: 0o600 })
}

function newer(before: SeenDocument | undefined, now: SeenDocument | undefined): SeenDocument | undefined {
  return before && (!now || before.number >= now.number) ? before : now
}

function readMemory(fields: Fields): Memory | undefined {
  const organization = text(fields, 'organization')
  const administrators = readDocument(fields['administrators'])
  const devices = readDocument(fields['devices'])
  if (organization === undefined || administrators === 'damaged' || devices === 'damaged') return undefined
  return { organization, seen: { ...(administrators && { administrators }), ...(devices && { devices }) } }
}

function readDocument(value: unknown): SeenDocument | undefined | 'damaged' {
  if (value === undefined) return undefined
  if (!isFields(value)) return 'damaged'
  const number = count(value, 'number')
  const hash = text(value, 'hash')
  return number === undefined || hash === undefined ? 'damaged' : { number, hash }
}
