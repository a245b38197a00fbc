import { createDecipheriv, createHmac, createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'
import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from 'hpke'
import { expect, it } from 'vitest'
import { exampleContentKey } from '../testing/examples.ts'
import { SUITE, unwrapKey, wrapKey } from './wrap-key.ts'

/** Of the test vectors that accompany RFC 9180: mode base, KEM 0x0020, KDF 0x0001, AEAD 0x0002, the first encryption. */
const VECTOR = {
  info: '4f6465206f6e2061204772656369616e2055726e',
  skRm: '497b4502664cfea5d5af0b39934dac72242a74f8480451e1aee7d6a53320333d',
  pkRm: '430f4b9859665145a6b1ba274024487bd66f03a2dd577d7753c68d7d7d00c00c',
  enc: '6c93e09869df3402d7bf231bf540fadd35cd56be14f97178f0954db94b7fc256',
  sharedSecret: '3101c54c3a4f87439eaac080699ed9bbcc726ffe44e860c0424ccb7e3e2ead7b',
  key: 'f50b0609186798729ed0564b36ef2ef8044f1f9d05636874d1f46c819c7a669f',
  baseNonce: '151d9929e2449747889bc923',
  aad: '436f756e742d30',
  plaintext: '4265617574792069732074727574682c20747275746820626561757479',
  ciphertext: 'e5d84cd531cfb583096e7cfa9641bd3079cf3a91cda813c52deb5f512be9931980a41de125a925cdad859d5b7a',
}

it('has the identifiers of DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM', () => {
  expect([SUITE.KEM.id, SUITE.KDF.id, SUITE.AEAD.id]).toEqual([0x0020, 0x0001, 0x0002])
})

it('opens the test vector of RFC 9180', async () => {
  const recipient = await SUITE.DeserializePrivateKey(hex(VECTOR.skRm))
  const options = { info: hex(VECTOR.info), aad: hex(VECTOR.aad) }
  const plaintext = await SUITE.Open(recipient, hex(VECTOR.enc), hex(VECTOR.ciphertext), options)
  expect(Buffer.from(plaintext).toString('hex')).toBe(VECTOR.plaintext)
})

it('opens what the library seals with WebCrypto, and the other way round', async () => {
  const other = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM)
  const [info, plain] = [Buffer.from('info'), Buffer.from('plain')]
  const theirs = await other.Seal(await other.DeserializePublicKey(hex(VECTOR.pkRm)), plain, { info })
  const own = await SUITE.DeserializePrivateKey(hex(VECTOR.skRm))
  expect(Buffer.from(await SUITE.Open(own, theirs.encapsulatedSecret, theirs.ciphertext, { info }))).toEqual(plain)
  const ours = await SUITE.Seal(await SUITE.DeserializePublicKey(hex(VECTOR.pkRm)), plain, { info })
  const recipient = {
    privateKey: await other.DeserializePrivateKey(hex(VECTOR.skRm)),
    publicKey: await other.DeserializePublicKey(hex(VECTOR.pkRm)),
  }
  const opened = await other.Open(recipient, ours.encapsulatedSecret, ours.ciphertext, { info })
  expect(Buffer.from(opened)).toEqual(plain)
})

it('takes no half that makes every secret the same', async () => {
  const wrapped = { enc: Buffer.alloc(32), key: Buffer.alloc(48) }
  expect(await unwrapKey(wrapped, hex(VECTOR.skRm).toString('base64url'), 'h')).toBeUndefined()
  await expect(wrapKey(exampleContentKey(), Buffer.alloc(32).toString('base64url'), 'h')).rejects.toThrow()
})

it('is what RFC 9180 says, written down a second time', () => {
  const secret = decapsulate(hex(VECTOR.enc), hex(VECTOR.skRm))
  expect(secret.toString('hex')).toBe(VECTOR.sharedSecret)
  const { key, nonce } = keySchedule(secret, hex(VECTOR.info))
  expect(key.toString('hex')).toBe(VECTOR.key)
  expect(nonce.toString('hex')).toBe(VECTOR.baseNonce)
  const plaintext = open(key, nonce, hex(VECTOR.ciphertext), hex(VECTOR.aad))
  expect(plaintext.toString('hex')).toBe(VECTOR.plaintext)
})

it('wraps a content key so that the second writing opens it, bound to the header', async () => {
  const contentKey = exampleContentKey()
  const publicKey = hex(VECTOR.pkRm).toString('base64url')
  const { enc, key } = await wrapKey(contentKey, publicKey, '{"header":1}')
  const secret = decapsulate(Buffer.from(enc, 'base64url'), hex(VECTOR.skRm))
  const schedule = keySchedule(secret, Buffer.from('hearth/seal/key/1\n{"header":1}'))
  expect(open(schedule.key, schedule.nonce, Buffer.from(key, 'base64url'))).toEqual(contentKey.export())
})

it('unwraps with the private half alone', async () => {
  const contentKey = exampleContentKey()
  const { enc, key } = await wrapKey(contentKey, hex(VECTOR.pkRm).toString('base64url'), 'h')
  const wrapped = { enc: Buffer.from(enc, 'base64url'), key: Buffer.from(key, 'base64url') }
  const unwrapped = await unwrapKey(wrapped, hex(VECTOR.skRm).toString('base64url'), 'h')
  expect(unwrapped?.equals(contentKey)).toBe(true)
})

// RFC 9180 with node:crypto, base mode, receiving side.

function decapsulate(enc: Buffer, skRm: Buffer): Buffer {
  const privateKey = createPrivateKey({
    key: Buffer.concat([hex('302e020100300506032b656e04220420'), skRm]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: enc.toString('base64url') },
    format: 'jwk',
  })
  const dh = diffieHellman({ privateKey, publicKey })
  const pkRm = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  const suite = Buffer.concat([Buffer.from('KEM'), hex('0020')])
  const extracted = labeledExtract(suite, Buffer.alloc(0), 'eae_prk', dh)
  return labeledExpand(suite, extracted, 'shared_secret', Buffer.concat([enc, pkRm]), 32)
}

function keySchedule(sharedSecret: Buffer, info: Buffer): { key: Buffer; nonce: Buffer } {
  const suite = Buffer.concat([Buffer.from('HPKE'), hex('002000010002')])
  const none = Buffer.alloc(0)
  const pskIdHash = labeledExtract(suite, none, 'psk_id_hash', none)
  const infoHash = labeledExtract(suite, none, 'info_hash', info)
  const context = Buffer.concat([hex('00'), pskIdHash, infoHash])
  const secret = labeledExtract(suite, sharedSecret, 'secret', none)
  return {
    key: labeledExpand(suite, secret, 'key', context, 32),
    nonce: labeledExpand(suite, secret, 'base_nonce', context, 12),
  }
}

function labeledExtract(suite: Buffer, salt: Buffer, label: string, material: Buffer): Buffer {
  return hmac(salt, Buffer.from('HPKE-v1'), suite, Buffer.from(label), material)
}

/** One block of HKDF-Expand is enough: nothing here is longer than a hash. */
function labeledExpand(suite: Buffer, secret: Buffer, label: string, info: Buffer, length: number): Buffer {
  const parts = [Buffer.from([0, length]), Buffer.from('HPKE-v1'), suite, Buffer.from(label), info, hex('01')]
  return hmac(secret, ...parts).subarray(0, length)
}

function hmac(key: Buffer, ...parts: Buffer[]): Buffer {
  return createHmac('sha256', key).update(Buffer.concat(parts)).digest()
}

function open(key: Uint8Array, nonce: Uint8Array, box: Uint8Array, aad: Uint8Array = Buffer.alloc(0)): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAAD(aad).setAuthTag(box.subarray(-16))
  return Buffer.concat([decipher.update(box.subarray(0, -16)), decipher.final()])
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
