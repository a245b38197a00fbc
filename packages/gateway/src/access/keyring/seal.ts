// Encrypts a secret before it is stored, with AES-256-GCM and a key that is not in the database:
//
//   sealed:  id of the key, 16 hexadecimal digits  :  base64url of nonce (12 bytes), encrypted text, tag (16 bytes)
//
// The place of the secret, such as its column and person, is authenticated with it: a sealed text that was copied to another row can't be opened.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface SealingKey {
  /** Says which key a text was sealed with, and nothing about the key. */
  id: string
  seal(context: string, text: string): string
  /** Undefined if the text was changed, or belongs to another place or key. */
  open(context: string, sealed: string): string | undefined
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SHAPE = /^sealed:([0-9a-f]{16}):([\w-]+)$/

/** `material` is a random text of at least 32 characters: a slow hash would add nothing. */
export function sealingKey(material: string): SealingKey {
  const key = derive(material, 'hearth secrets at rest', KEY_BYTES)
  const id = derive(material, 'hearth key id', ID_BYTES).toString('hex')
  return {
    id,
    seal(context, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `sealed:${id}:${sealed.toString('base64url')}`
    },
    open(context, sealed) {
      const [, named, data = ''] = SHAPE.exec(sealed) ?? []
      return named === id ? decrypt(key, context, Buffer.from(data, 'base64url')) : undefined
    },
  }
}

/** Undefined if the text is not sealed. */
export function keyIdOf(text: string): string | undefined {
  return SHAPE.exec(text)?.[1]
}

function derive(material: string, use: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', material, '', use, bytes))
}

function decrypt(key: Buffer, context: string, sealed: Buffer): string | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
  } catch {
    // The tag does not match: that is the answer.
    return undefined
  }
}
