// The parts of HPKE with node:crypto's synchronous calls, for the library that puts them together. With its own, which use WebCrypto, every
// hash goes through another thread: eleven times for one key.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import {
  concat,
  encode,
  I2OSP,
  LabeledExpand,
  LabeledExtract,
  NotSupportedError,
  type AEAD,
  type KDF,
  type KEM,
  type Key,
} from 'hpke'

const HASH_BYTES = 32
const TAG_BYTES = 16
/** Stands before the 32 bytes of an X25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex')

const X25519 = { algorithm: { name: 'X25519' }, extractable: true }

/** Both halves of a key, or the public one. */
export interface NodeKey extends Key {
  object: KeyObject
  /** The public half, 32 bytes. */
  publicBytes: Uint8Array
}

export const nodeHkdf = (): KDF => ({
  id: 0x0001,
  type: 'KDF',
  name: 'HKDF-SHA256',
  Nh: HASH_BYTES,
  stages: 2,
  Extract: async (salt, material) => hmac(salt, material),
  /** One block is enough: nothing that HPKE derives is longer than a hash. */
  async Expand(secret, info, length) {
    if (length > HASH_BYTES) throw new RangeError(`Only ${HASH_BYTES} bytes can be derived, not ${length}`)
    return hmac(secret, concat(info, Uint8Array.of(1))).subarray(0, length)
  },
  Derive: notNeeded,
})

export const nodeAesGcm = (): AEAD => ({
  id: 0x0002,
  type: 'AEAD',
  name: 'AES-256-GCM',
  Nk: 32,
  Nn: 12,
  Nt: TAG_BYTES,
  async Seal(key, nonce, aad, plain) {
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad)
    return concat(cipher.update(plain), cipher.final(), cipher.getAuthTag())
  },
  async Open(key, nonce, aad, box) {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(aad)
    decipher.setAuthTag(box.subarray(-TAG_BYTES))
    return concat(decipher.update(box.subarray(0, -TAG_BYTES)), decipher.final())
  },
})

export const nodeX25519 = (): KEM<NodeKey> => ({
  id: 0x0020,
  type: 'KEM',
  name: 'DHKEM(X25519, HKDF-SHA256)',
  Nsecret: 32,
  Nenc: 32,
  Npk: 32,
  Nsk: 32,
  DeriveKeyPair: notNeeded,
  GenerateKeyPair: notNeeded,
  SerializePrivateKey: notNeeded,
  SerializePublicKey: async ({ publicBytes }) => publicBytes,
  DeserializePublicKey: async (bytes) => publicKey(bytes),
  DeserializePrivateKey: async (bytes) => privateKey(bytes),
  async Encap(recipient) {
    const pair = generateKeyPairSync('x25519')
    const own = withPublicHalf(pair.privateKey, pair.publicKey)
    const enc = own.publicBytes
    return { enc, shared_secret: await agree(own, recipient, concat(enc, recipient.publicBytes)) }
  },
  Decap: async (enc, own) => agree(own, publicKey(enc), concat(enc, own.publicBytes)),
})

const KDF = nodeHkdf()
const SUITE_ID = concat(encode('KEM'), I2OSP(0x0020, 2))

/** Throws if the other half is a point that makes every secret the same. */
async function agree(own: NodeKey, other: NodeKey, context: Uint8Array): Promise<Uint8Array> {
  const secret = diffieHellman({ privateKey: own.object, publicKey: other.object })
  const extracted = await LabeledExtract(KDF, SUITE_ID, new Uint8Array(), encode('eae_prk'), secret)
  return LabeledExpand(KDF, SUITE_ID, extracted, encode('shared_secret'), context, HASH_BYTES)
}

function publicKey(bytes: Uint8Array): NodeKey {
  const x = Buffer.from(bytes).toString('base64url')
  const object = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })
  return { ...X25519, object, publicBytes: bytes, type: 'public' }
}

function privateKey(bytes: Uint8Array): NodeKey {
  const object = createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: 'der', type: 'pkcs8' })
  return withPublicHalf(object, createPublicKey(object))
}

function withPublicHalf(object: KeyObject, half: KeyObject): NodeKey {
  const { x } = half.export({ format: 'jwk' })
  if (x === undefined) throw new Error('An X25519 key must have a public half')
  return { ...X25519, object, publicBytes: Buffer.from(x, 'base64url'), type: 'private' }
}

function hmac(key: Uint8Array, text: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(text).digest()
}

/** HPKE's base mode does without it. */
async function notNeeded(): Promise<never> {
  throw new NotSupportedError('This is not part of sealing')
}
