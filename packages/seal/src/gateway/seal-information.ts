// What a gateway says about an organization's seal: documents that it can't forge, and which devices are online, which is its word alone.

import { isFields, isName, readList, word } from '@hearth/sealing/fields'
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

/** Undefined if it is anything else. */
export function readSealInformation(value: unknown): SealInformation | undefined {
  if (!isFields(value)) return undefined
  const { organization, seal, administrators, devices } = value
  const mode = word(value, 'mode', MODES)
  const online = readList(value['online'], MAX_DEVICES, readOnline)
  if (!isName(organization) || mode === undefined || online === undefined) return undefined
  return { organization, mode, seal: isName(seal) ? seal : undefined, administrators, devices, online }
}

function readOnline(value: unknown): OnlineDevice | undefined {
  if (!isFields(value)) return undefined
  const { id, name, key } = value
  const models = readList(value['models'], MAX_MODELS, (item) => (typeof item === 'string' ? item : undefined))
  if (!isName(id) || !isName(name) || models === undefined) return undefined
  return { id, name, key: isAgreementKey(key) ? key : undefined, models }
}
