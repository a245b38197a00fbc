// Reading base64 of others: checked before anything is decoded, so that a long text costs nothing.

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const BASE64_URL = /^[A-Za-z0-9_-]*$/

/** Bytes of an exact length, in the only form that stands for them: two texts never mean the same key. */
export function readBase64Url(text: unknown, length: number): Buffer | undefined {
  if (typeof text !== 'string' || text.length !== Math.ceil((length * 4) / 3) || !BASE64_URL.test(text))
    return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

export type Decoded = { kind: 'decoded'; bytes: Buffer } | { kind: 'rejected'; reason: 'malformed' | 'too-large' }

export function readBase64(text: unknown, maxBytes: number): Decoded {
  if (typeof text !== 'string') return { kind: 'rejected', reason: 'malformed' }
  if (text.length > Math.ceil(maxBytes / 3) * 4) return { kind: 'rejected', reason: 'too-large' }
  if (text.length % 4 !== 0 || !BASE64.test(text)) return { kind: 'rejected', reason: 'malformed' }
  return { kind: 'decoded', bytes: Buffer.from(text, 'base64') }
}
