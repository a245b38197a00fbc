// Turns the bytes of a body into a JSON value. `JsonScan` has looked at them before.

import { isUtf8 } from 'node:buffer'
import { ApiError } from '../errors.ts'
import { MAX_DEPTH, MAX_VALUES, type JsonExcess } from './json-scan.ts'

const FAILED = 'We could not parse the JSON body of your request'
const HINT = `(HINT: This likely means you aren't using your HTTP library correctly. The service expects a JSON payload.)`

export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new ApiError('invalid_json', `${FAILED}: it is empty. ${HINT}`)
  if (!isUtf8(bytes)) throw new ApiError('invalid_json', `${FAILED}: it is not valid UTF-8. ${HINT}`)
  try {
    return JSON.parse(withoutByteOrderMark(bytes.toString('utf8')))
  } catch {
    throw new ApiError('invalid_json', `${FAILED}. ${HINT}`)
  }
}

export function excessError(excess: JsonExcess): ApiError {
  return new ApiError(
    'invalid_json',
    excess === 'depth'
      ? `${FAILED}: it is nested more than ${MAX_DEPTH} levels deep.`
      : `${FAILED}: it has more than ${MAX_VALUES} values. Send fewer messages, tools or unused fields.`,
  )
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
