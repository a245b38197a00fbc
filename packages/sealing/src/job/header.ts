// The header of a sealed job: all that the gateway may know of it. It travels as text, and the job opens only with exactly this text.

import { readBase64Url } from '../base64.ts'
import { isCount, isFields, isName, parseFields, readList, type Fields } from '../fields.ts'
import { MAX_FEATURES, MAX_HEADER_BYTES, MAX_PREFIXES } from '../limits.ts'

const VERSION = 1
const ID_BYTES = 16

export interface SealedHeader {
  version: typeof VERSION
  organization: string
  /** 16 random bytes as base64url. A device takes each once. */
  id: string
  /** In milliseconds since 1970. */
  sealedAt: number
  model: string
  features: readonly string[]
  stream: boolean
  choices: number
  promptTokens: number
  maxTokens?: number
  prefixes?: readonly SealedPrefix[]
}

export interface SealedPrefix {
  hash: number
  size: number
}

export function writeSealedHeader(header: SealedHeader): string {
  return JSON.stringify(header)
}

/** Undefined: not a header, or one of another version. */
export function readSealedHeader(text: unknown): SealedHeader | undefined {
  if (typeof text !== 'string' || text.length > MAX_HEADER_BYTES || Buffer.byteLength(text) > MAX_HEADER_BYTES) {
    return undefined
  }
  if (!text.isWellFormed()) return undefined
  const fields = parseFields(text)
  return fields && asHeader(fields)
}

function asHeader(fields: Fields): SealedHeader | undefined {
  const { version, organization, id, sealedAt, model, stream } = fields
  const sizes = readSizes(fields)
  const features = readList(fields.features, MAX_FEATURES, (item) => (isName(item) ? item : undefined))
  if (version !== VERSION || !isName(organization) || !isName(model) || typeof stream !== 'boolean') return undefined
  if (!isId(id) || !isCount(sealedAt) || !features || !sizes) return undefined
  return { version, organization, id, sealedAt, model, features, stream, ...sizes }
}

type Sizes = Pick<SealedHeader, 'choices' | 'promptTokens' | 'maxTokens' | 'prefixes'>

function readSizes({ choices, promptTokens, maxTokens, prefixes }: Fields): Sizes | undefined {
  const list = prefixes === undefined ? undefined : readList(prefixes, MAX_PREFIXES, asPrefix)
  if (prefixes !== undefined && !list) return undefined
  if (maxTokens !== undefined && !isCount(maxTokens)) return undefined
  if (!isCount(choices, 1) || !isCount(promptTokens)) return undefined
  return { choices, promptTokens, ...(maxTokens !== undefined && { maxTokens }), ...(list && { prefixes: list }) }
}

function asPrefix(value: unknown): SealedPrefix | undefined {
  if (!isFields(value)) return undefined
  const { hash, size } = value
  return isCount(hash, 0, 0xff_ff_ff_ff) && isCount(size) ? { hash, size } : undefined
}

function isId(text: unknown): text is string {
  return readBase64Url(text, ID_BYTES) !== undefined
}
