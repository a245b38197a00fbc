// The document that says which devices an organization trusts, each with its key, and which programs they may run. A device or a program is
// revoked by a newer list without it.

import { isCount, isFields, isName, readList, type Fields } from '../fields.ts'
import { isAgreementKey } from '../keys/agreement-key.ts'
import type { SigningKey } from '../keys/key-pair.ts'
import { MAX_APPS, MAX_DEVICES } from '../limits.ts'
import { asApp, type NamedApp } from './release.ts'
import { readSigned, type DocumentReason } from './read-signed.ts'
import { readChain, type Chained } from './seen.ts'
import { signText, type SignedText } from './signed-text.ts'

export interface DeviceList extends Chained {
  organization: string
  /** Each new list has the next number, from 1 on. */
  number: number
  /** In milliseconds since 1970. */
  signedAt: number
  devices: readonly TrustedDevice[]
  /** In the order in which they were named. Absent in lists of programs that knew none. */
  apps?: readonly NamedApp[]
}

export interface TrustedDevice {
  id: string
  name: string
  /** X25519, as base64url. */
  key: string
  /** When it was approved, in milliseconds since 1970. */
  from: number
}

export type DeviceListResult =
  | { kind: 'read'; document: DeviceList; signed: SignedText }
  | { kind: 'rejected'; reason: DocumentReason }

export function writeDeviceList(list: DeviceList, key: SigningKey): SignedText {
  const { organization, number, signedAt, previous } = list
  const devices = list.devices.map(({ id, name, key, from }) => ({ id, name, key, from }))
  const apps = list.apps?.map(({ program, version, sha256 }) => ({ program, version, sha256 }))
  return signText(JSON.stringify({ type: 'devices', organization, number, signedAt, previous, devices, apps }), key)
}

/** `signers` are the public keys that may sign it, as base64url: the seal and its administrators. */
export function readDeviceList(value: unknown, signers: readonly string[]): DeviceListResult {
  const result = readSigned(value, signers, 'devices')
  if (result.kind === 'rejected') return result
  const document = asDeviceList(result.fields)
  return document ? { kind: 'read', document, signed: result.signed } : { kind: 'rejected', reason: 'malformed' }
}

function asDeviceList({ organization, number, signedAt, previous, devices, apps }: Fields): DeviceList | undefined {
  const rows = readList(devices, MAX_DEVICES, asDevice)
  const named = apps === undefined ? [] : readList(apps, MAX_APPS, asApp)
  if (!isName(organization) || !isCount(number, 1) || !isCount(signedAt) || !rows || !named) return undefined
  const chain = readChain(previous, number)
  if (!chain || new Set(rows.map(({ id }) => id)).size < rows.length) return undefined
  return { organization, number, signedAt, ...chain, devices: rows, ...(apps !== undefined && { apps: named }) }
}

function asDevice(value: unknown): TrustedDevice | undefined {
  if (!isFields(value)) return undefined
  const { id, name, key, from } = value
  return isName(id) && isName(name) && isAgreementKey(key) && isCount(from) ? { id, name, key, from } : undefined
}
