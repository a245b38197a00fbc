// What a gateway says about an organization's seal: documents that it can't forge, and which devices are online, which is its word alone.

import { isFields, text, type Fields } from '@hearth/command-line/files/fields'
import type { ShownSeal } from '@hearth/command-line/trust/check-trust'
import { isAgreementKey } from '@hearth/sealing'

export type SealingMode = 'off' | 'optional' | 'required'

export interface SealInformation extends ShownSeal {
  mode: SealingMode
  online: readonly OnlineDevice[]
}

export interface OnlineDevice {
  id: string
  name: string
  /** X25519, as base64url; undefined if its app is too old for sealed requests. */
  key: string | undefined
  models: readonly string[]
}

const MODES: readonly SealingMode[] = ['off', 'optional', 'required']
const MAX_DEVICES = 10_000
const MAX_MODELS = 256
const MAX_NAME_LENGTH = 256

/** Undefined if it is anything else. */
export function readSealInformation(value: unknown): SealInformation | undefined {
  if (!isFields(value)) return undefined
  const organization = readName(value, 'organization')
  const mode = MODES.find((known) => known === value['mode'])
  const online = readList(value['online'], MAX_DEVICES, readOnline)
  if (organization === undefined || mode === undefined || online === undefined) return undefined
  const { administrators, devices } = value
  return { organization, mode, seal: readName(value, 'seal'), administrators, devices, online }
}

function readOnline(value: unknown): OnlineDevice | undefined {
  if (!isFields(value)) return undefined
  const id = readName(value, 'id')
  const name = readName(value, 'name')
  const models = readList(value['models'], MAX_MODELS, (item) => (typeof item === 'string' ? item : undefined))
  if (id === undefined || name === undefined || models === undefined) return undefined
  const { key } = value
  return { id, name, key: isAgreementKey(key) ? key : undefined, models }
}

function readName(fields: Fields, name: string): string | undefined {
  const value = text(fields, name)
  return value !== undefined && value !== '' && value.length <= MAX_NAME_LENGTH ? value : undefined
}

function readList<Item>(value: unknown, most: number, read: (item: unknown) => Item | undefined): Item[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined
  const items = value.map(read).filter((item) => item !== undefined)
  return items.length === value.length ? items : undefined
}
