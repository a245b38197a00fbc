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
  aad: '436f756e742d30',
  plaintext: '4265617574792069732074727574682c20747275746820626561757479',
  ciphertext: 'e5d84cd531cfb583096e7cfa9641bd3079cf3a91cda813c52deb5f512be9931980a41de125a925cdad859d5b7a',
}

it('opens the test vector of RFC 9180', async () => {
  const recipient = await SUITE.DeserializePrivateKey(hex(VECTOR.skRm))
  const options = { info: hex(VECTOR.info), aad: hex(VECTOR.aad) }
  const plaintext = await SUITE.Open(recipient, hex(VECTOR.enc), hex(VECTOR.ciphertext), options)
  expect(Buffer.from(plaintext).toString('hex')).toBe(VECTOR.plaintext)
})

/** The library's own suite, which uses WebCrypto. */
const other = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM)

async function openWithOther(enc: Uint8Array, box: Uint8Array, info: Uint8Array): Promise<Buffer> {
  const privateKey = await other.DeserializePrivateKey(hex(VECTOR.skRm))
  const publicKey = await other.DeserializePublicKey(hex(VECTOR.pkRm))
  return Buffer.from(await other.Open({ privateKey, publicKey }, enc, box, { info }))
}

it('takes no half that makes every secret the same', async () => {
  const wrapped = { enc: Buffer.alloc(32), key: Buffer.alloc(48) }
  expect(await unwrapKey(wrapped, hex(VECTOR.skRm).toString('base64url'), 'h')).toBeUndefined()
  await expect(wrapKey(exampleContentKey(), Buffer.alloc(32).toString('base64url'), 'h')).rejects.toThrow()
})

it('wraps a content key as the format says, bound to the header', async () => {
  const contentKey = exampleContentKey()
  const { enc, key } = await wrapKey(contentKey, hex(VECTOR.pkRm).toString('base64url'), '{"header":1}')
  const info = Buffer.from('hearth/seal/key/1\n{"header":1}')
  const opened = await openWithOther(Buffer.from(enc, 'base64url'), Buffer.from(key, 'base64url'), info)
  expect(opened).toEqual(contentKey.export())
})

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
