import { parseFields, type Fields } from '../fields.ts'
import { isSignedBy, readSignedText, type Purpose, type SignedText } from './signed-text.ts'

export type DocumentReason = 'malformed' | 'too-large' | 'not-signed'

export type SignedFields =
  | { kind: 'read'; signed: SignedText; fields: Fields }
  | { kind: 'rejected'; reason: DocumentReason }

/** The fields of a document that one of the signers has signed. Nothing of the text is looked at before that is certain. */
export function readSigned(value: unknown, signers: readonly string[], type: string, purpose?: Purpose): SignedFields {
  const result = readSignedText(value)
  if (result.kind === 'rejected') return result
  const { signed } = result
  const signer = signers.find((key) => key === signed.key)
  if (signer === undefined || !isSignedBy(signed, signer, purpose)) return { kind: 'rejected', reason: 'not-signed' }
  const fields = parseFields(signed.text)
  if (fields?.type !== type) return { kind: 'rejected', reason: 'malformed' }
  return { kind: 'read', signed, fields }
}
