// This machine's key for sealed requests: clients seal requests with its public half, and only this machine can open them. It is made at
// the first start and stays, because people approved its fingerprint.

import { createPrivateKey } from 'node:crypto'
import { newAgreementKey, type AgreementKey } from '@hearth/sealing'
import { closeToOthers } from '@hearth/command-line/files/close-to-others'
import { text } from '@hearth/sealing/fields'
import { readObjectFile } from '@hearth/command-line/files/read-object-file'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { CommandError } from '@hearth/command-line/errors'

const ADVICE =
  'Restore the file from a backup. Or delete it: the device then makes a new key, which has to be approved again'

/** Makes the key if there is none yet. Throws if the file can't be read or written: nobody approved another key. */
export function openSealKey(path: string): AgreementKey {
  const fields = readObjectFile(path, ADVICE)
  if (fields === undefined) return makeSealKey(path)
  closeToOthers(path)
  const key = { publicKey: text(fields, 'publicKey') ?? '', privateKey: text(fields, 'privateKey') ?? '' }
  if (!isPair(key)) throw new CommandError(`Can't read ${path}: the keys in it are not a pair`, ADVICE)
  return key
}

function makeSealKey(path: string): AgreementKey {
  const key = newAgreementKey()
  writeJson(path, key, { mode: 0o600 })
  return key
}

function isPair({ publicKey, privateKey }: AgreementKey): boolean {
  try {
    createPrivateKey({ key: { kty: 'OKP', crv: 'X25519', x: publicKey, d: privateKey }, format: 'jwk' })
    return true
  } catch {
    // Node compares both halves; the caller says which file has them.
    return false
  }
}
