// The request of a job as it arrives at a device: in clear, or sealed.

import {
  BOX_BYTES,
  MAX_BEGUN_ATTEMPTS,
  MAX_BEGUN_BYTES,
  MAX_NAME_LENGTH,
  MAX_SEAL_HEADER_LENGTH,
  MAX_SEAL_KEYS,
} from '../limits.ts'
import {
  asObject,
  asText,
  isAbsent,
  optional,
  parseJson,
  ProtocolError,
  readCount,
  readKey,
  readList,
  readObject,
  readText,
  type Fields,
} from '../read-fields.ts'
import { readChatJob } from './read-chat-job.ts'
import { asPrefixScope } from './read-job-values.ts'
import type {
  BegunAttempt,
  JobRequest,
  SealedJob,
  SealedRecovery,
  SealedRequest,
  WrappedKey,
} from './sealed-request.ts'

/** X25519 */
const ENC_BYTES = 32
/** A key of 32 bytes and its tag. */
const WRAPPED_BYTES = 48

export function readJobRequest(fields: Fields): JobRequest {
  return isAbsent(fields['sealed']) ? readChatJob(fields) : readSealedRequest(fields)
}

/** A request that came in parts, once its text is complete. */
export function parseJobRequest(text: string): JobRequest {
  return readJobRequest(asObject(parseJson(text, 'a request in parts'), 'request'))
}

function readSealedRequest(fields: Fields): SealedRequest {
  return {
    sealed: readSealedJob(readObject(fields, 'sealed')),
    model: readText(fields, 'model'),
    ...optional(fields, 'prefixScope', (from, name) => asPrefixScope(from[name], name)),
    ...optional(fields, 'recovery', (from, name) => readRecovery(readObject(from, name))),
  }
}

function readSealedJob(fields: Fields): SealedJob {
  return {
    header: readText(fields, 'header', MAX_SEAL_HEADER_LENGTH),
    box: readText(fields, 'box'),
    keys: readList(fields, 'keys', MAX_SEAL_KEYS, readWrappedKey),
  }
}

function readWrappedKey(item: unknown, name: string): WrappedKey {
  const fields = asObject(item, name)
  return {
    device: readText(fields, 'device', MAX_NAME_LENGTH),
    enc: readKey(fields, 'enc', ENC_BYTES),
    key: readKey(fields, 'key', WRAPPED_BYTES),
  }
}

function readRecovery(fields: Fields): SealedRecovery {
  const recovery = optional(fields, 'begun', (from, name) => readList(from, name, MAX_BEGUN_ATTEMPTS, readBegun))
  if (bytesOf(recovery.begun) > MAX_BEGUN_BYTES)
    throw new ProtocolError(`"begun" must have at most ${MAX_BEGUN_BYTES} bytes`)
  return recovery
}

function readBegun(item: unknown, name: string): BegunAttempt {
  const fields = asObject(item, name)
  return {
    attempt: readCount(fields, 'attempt'),
    boxes: readList(fields, 'boxes', MAX_BEGUN_BYTES / BOX_BYTES, readBox),
  }
}

function bytesOf(begun: readonly BegunAttempt[] | undefined): number {
  const boxes = (begun ?? []).flatMap((attempt) => attempt.boxes)
  return boxes.reduce((bytes, box) => bytes + BOX_BYTES + box.length, 0)
}

function readBox(item: unknown, name: string): string {
  return asText(item, name)
}
