// A sealed job as it travels from the client through the gateway to a device.

import { readBase64Url } from '../base64.ts'
import { isFields, isName, readList } from '../fields.ts'
import { MAX_HEADER_BYTES, MAX_JOB_BOX_BYTES, MAX_WRAPPED_KEYS } from '../limits.ts'

export const ENCAPSULATED_BYTES = 32
/** A content key of 32 bytes and a tag of 16. */
export const WRAPPED_KEY_BYTES = 48

export interface SealedJob {
  /** JSON of a `SealedHeader`. */
  header: string
  /** The job, as base64. */
  box: string
  keys: readonly WrappedKey[]
}

/** The content key, wrapped for one device. */
export interface WrappedKey {
  /** The device's ID. */
  device: string
  /** 32 bytes as base64url. */
  enc: string
  /** 48 bytes as base64url. */
  key: string
}

/** Checks the shape and sizes alone: whether it opens, only a device can tell. */
export function readSealedJob(value: unknown): SealedJob | undefined {
  if (!isFields(value)) return undefined
  const { header, box } = value
  const keys = readList(value.keys, MAX_WRAPPED_KEYS, asWrappedKey)
  if (!keys || keys.length === 0 || new Set(keys.map(({ device }) => device)).size < keys.length) return undefined
  if (typeof header !== 'string' || header.length > MAX_HEADER_BYTES) return undefined
  if (typeof box !== 'string' || box.length > Math.ceil(MAX_JOB_BOX_BYTES / 3) * 4) return undefined
  return { header, box, keys }
}

function asWrappedKey(value: unknown): WrappedKey | undefined {
  if (!isFields(value)) return undefined
  const { device, enc, key } = value
  return isName(device) && isBytes(enc, ENCAPSULATED_BYTES) && isBytes(key, WRAPPED_KEY_BYTES)
    ? { device, enc, key }
    : undefined
}

function isBytes(text: unknown, length: number): text is string {
  return readBase64Url(text, length) !== undefined
}
