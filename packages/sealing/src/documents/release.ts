// A program by the hash of its archive, and the document with which the project says that it has released one.

import { isFields, isName } from '../fields.ts'
import type { SigningKey } from '../keys/key-pair.ts'
import { readSigned } from './read-signed.ts'
import { signText, type SignedText } from './signed-text.ts'

export interface NamedApp {
  /** Such as hearth-device. */
  program: string
  version: string
  /** Of its archive, in hex. Anyone who has the sources can compute it. */
  sha256: string
}

const SHA256 = /^[0-9a-f]{64}$/

export function asApp(value: unknown): NamedApp | undefined {
  if (!isFields(value)) return undefined
  const { program, version, sha256 } = value
  const isHash = typeof sha256 === 'string' && SHA256.test(sha256)
  return isName(program) && isName(version) && isHash ? { program, version, sha256 } : undefined
}

/** Of each program the build that was named last: the others were replaced, and may have holes that are known. */
export function newestApps(named: readonly NamedApp[]): NamedApp[] {
  return named.filter((app) => named.findLast(({ program }) => program === app.program) === app)
}

export function writeRelease({ program, version, sha256 }: NamedApp, key: SigningKey): SignedText {
  return signText(JSON.stringify({ type: 'release', program, version, sha256 }), key, 'hearth-release')
}

/** Undefined if none of these keys has signed it. */
export function readRelease(value: unknown, keys: readonly string[]): NamedApp | undefined {
  const result = readSigned(value, keys, 'release', 'hearth-release')
  return result.kind === 'read' ? asApp(result.fields) : undefined
}
