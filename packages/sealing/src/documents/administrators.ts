// The document that says who else may sign lists of devices. Only the seal itself signs it.

import { isCount, isFields, isName, readList, type Fields } from '../fields.ts'
import { isPublicKey, type SigningKey } from '../keys/key-pair.ts'
import { MAX_ADMINISTRATORS } from '../limits.ts'
import { readSigned, type DocumentReason } from './read-signed.ts'
import { readChain, type Chained } from './seen.ts'
import { signText, type SignedText } from './signed-text.ts'

export interface Administrators extends Chained {
  organization: string
  /** Each new document has the next number, from 1 on. */
  number: number
  administrators: readonly Administrator[]
}

export interface Administrator {
  name: string
  /** Ed25519, as base64url. */
  key: string
}

export type AdministratorsResult =
  | { kind: 'read'; document: Administrators; signed: SignedText }
  | { kind: 'rejected'; reason: DocumentReason }

export function writeAdministrators(
  { organization, number, previous, administrators }: Administrators,
  seal: SigningKey,
): SignedText {
  const rows = administrators.map(({ name, key }) => ({ name, key }))
  return signText(
    JSON.stringify({ type: 'administrators', organization, number, previous, administrators: rows }),
    seal,
  )
}

/** `seal` is the public key of the seal, as base64url. */
export function readAdministrators(value: unknown, seal: string): AdministratorsResult {
  const result = readSigned(value, [seal], 'administrators')
  if (result.kind === 'rejected') return result
  const document = asAdministrators(result.fields)
  return document ? { kind: 'read', document, signed: result.signed } : { kind: 'rejected', reason: 'malformed' }
}

function asAdministrators({ organization, number, previous, administrators }: Fields): Administrators | undefined {
  const rows = readList(administrators, MAX_ADMINISTRATORS, asAdministrator)
  if (!isName(organization) || !isCount(number, 1) || !rows) return undefined
  const chain = readChain(previous, number)
  if (!chain || new Set(rows.map(({ key }) => key)).size < rows.length) return undefined
  return { organization, number, ...chain, administrators: rows }
}

function asAdministrator(value: unknown): Administrator | undefined {
  if (!isFields(value)) return undefined
  const { name, key } = value
  return isName(name) && isPublicKey(key) ? { name, key } : undefined
}
