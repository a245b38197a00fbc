// One event of the gateway's reply to a sealed request.

import { isApiErrorCode, type Failed, type Placement } from '@hearth/chat'
import { asList, count, isFields, parseFields, text, word, type Fields } from '@hearth/sealing/fields'
import { isFeature } from '@hearth/protocol'

export interface Box {
  attempt: number
  sequence: number
  box: string
}

export type GatewayEvent =
  | { kind: 'placed'; placement: Placement }
  | { kind: 'box'; box: Box }
  | { kind: 'restart' }
  | { kind: 'end'; box: Box }
  /** With a box, the device says more about it. */
  | { kind: 'fail'; outcome: Failed; box: Omit<Box, 'sequence'> | undefined }

const MAX_MESSAGE_LENGTH = 4_096
const MAX_PARAM_LENGTH = 256
/** That a date can be. */
const LAST_MOMENT = 8.64e15

/** Undefined if it is none of them. */
export function readEvent(json: string): GatewayEvent | undefined {
  const fields = parseFields(json)
  if (fields === undefined) return undefined
  if (fields['restart'] === true) return { kind: 'restart' }
  if (isFields(fields['placed'])) return readPlaced(fields['placed'])
  if (isFields(fields['end'])) {
    const box = readBox(fields['end'])
    return box && { kind: 'end', box }
  }
  if (isFields(fields['fail'])) return readFail(fields['fail'], fields)
  const box = readBox(fields)
  return box && { kind: 'box', box }
}

function readBox(fields: Fields): Box | undefined {
  const attempt = count(fields, 'attempt')
  const sequence = count(fields, 'sequence')
  const box = text(fields, 'box')
  return attempt === undefined || sequence === undefined || box === undefined ? undefined : { attempt, sequence, box }
}

function readPlaced(fields: Fields): GatewayEvent | undefined {
  const device = text(fields, 'device')
  const { waitMs } = fields
  const attempts = count(fields, 'attempts')
  if (typeof waitMs !== 'number' || attempts === undefined) return undefined
  // It becomes a header.
  const isHeader = device !== undefined && /^[\w-]{1,256}$/.test(device)
  return { kind: 'placed', placement: { device: isHeader ? device : undefined, waitMs, attempts } }
}

function readFail(fail: Fields, fields: Fields): GatewayEvent | undefined {
  const outcome = readOutcome(fail)
  const attempt = count(fields, 'attempt')
  const box = text(fields, 'box')
  return (
    outcome && { kind: 'fail', outcome, box: attempt === undefined || box === undefined ? undefined : { attempt, box } }
  )
}

function readOutcome(fields: Fields): Failed | undefined {
  const { kind } = fields
  const retryMs = count(fields, 'retryMs')
  switch (kind) {
    case 'model-disabled':
    case 'key-revoked':
    case 'device-lost':
    case 'crashed':
    case 'shutdown':
      return { kind }
    case 'no-device':
      return { kind, retryMs }
    case 'queue-full':
      return { kind, retryMs, scope: fields['scope'] === 'key' ? 'key' : 'organization' }
    case 'budget-used':
      return readBudget(fields)
    case 'unsupported':
      return { kind, missing: asList(fields['missing']).filter(isFeature) }
    case 'out-of-memory':
      return { kind, full: 'process' }
    case 'timed-out':
      return { kind, limit: word(fields, 'limit', ['gap', 'total']) ?? 'first-event' }
    case 'refused-by-device':
      return isFields(fields['error']) ? readRefusal(fields['error']) : undefined
    default:
      return undefined
  }
}

function readBudget(fields: Fields): Failed | undefined {
  const tokensPerMonth = count(fields, 'tokensPerMonth')
  const renewsAt = count(fields, 'renewsAt')
  const holder = word(fields, 'holder', ['key', 'member', 'organization'])
  if (holder === undefined || tokensPerMonth === undefined || renewsAt === undefined || renewsAt > LAST_MOMENT)
    return undefined
  return { kind: 'budget-used', holder, tokensPerMonth, renewsAt }
}

/** Also for an error that a box has. */
export function readRefusal(fields: Fields): Failed | undefined {
  const code = text(fields, 'code')
  const message = text(fields, 'message')
  const param = text(fields, 'param')
  if (code === undefined || message === undefined || message.length > MAX_MESSAGE_LENGTH) return undefined
  const known = isApiErrorCode(code) ? code : 'server_error'
  const hasParam = param !== undefined && param.length <= MAX_PARAM_LENGTH
  return { kind: 'refused-by-device', error: { code: known, message, ...(hasParam && { param }) } }
}
