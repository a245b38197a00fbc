// Turns the outcome of a failed job into the error its client gets.

import type { Need } from '@hearth/protocol'
import { ApiError, isApiErrorCode } from '../errors.ts'
import type { Failed, Outcome as JobOutcome } from '../outcome.ts'
import { noRoom } from '../no-room.ts'

/** If nobody can say how long the line is. */
const RETRY_S = 5
/** Official clients ignore a longer time and try again at once. */
const LONGEST_RETRY_S = 59
/** Official clients follow this rather than the status: a request that crashed two engines must not crash a third. */
const NO_RETRY = { 'x-should-retry': 'false' }

const BUDGETS: Record<Outcome<'budget-used'>['holder'], [whose: string, remedy: string]> = {
  key: ['this API key', 'raise it on the Keys page of the console, or use another key'],
  member: ['the member who created this API key', 'ask an admin to raise it on the Members page of the console'],
  organization: ['this organization', 'ask an owner to raise it under Settings > Limits in the console'],
}

const TOO_LONG: Record<Outcome<'timed-out'>['limit'], string> = {
  'first-event': 'to send the first token',
  gap: 'to send the next token',
  total: 'to complete the response',
}

export function outcomeError(outcome: Failed, model: string, demands: readonly Need[]): ApiError {
  switch (outcome.kind) {
    case 'unsupported':
      return unsupported(outcome.missing, demands)
    case 'queue-full':
      return queueFull(outcome)
    case 'no-device':
      return noDevice(outcome, model)
    case 'budget-used':
      return budgetUsed(outcome)
    case 'model-disabled':
      return modelDisabled(model)
    case 'key-revoked':
      return keyRevoked()
    case 'refused-by-device':
      return refusedByDevice(outcome.error)
    case 'crashed':
      return crashed()
    case 'device-lost':
      return deviceLost()
    case 'out-of-memory':
      return noRoom(outcome.full)
    case 'timed-out':
      return timedOut(outcome)
    case 'shutdown':
      return shuttingDown()
    default:
      return outcome satisfies never
  }
}

type Outcome<Kind extends Failed['kind']> = Extract<Failed, { kind: Kind }>

function queueFull(outcome: Outcome<'queue-full'>): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `Too many requests from this ${outcome.scope} are waiting for a device. Please try again in ${retrySeconds(outcome)}s.`,
    null,
    retryIn(outcome),
  )
}

/** Also for requests that come after it was used up. Clients don't repeat it. */
export function budgetUsed({ holder, tokensPerMonth, renewsAt }: Omit<Outcome<'budget-used'>, 'kind'>): ApiError {
  const [whose, remedy] = BUDGETS[holder]
  const month = `${new Date(renewsAt).toISOString().slice(0, 10)} at 00:00 UTC`
  return new ApiError(
    'insufficient_quota',
    `The monthly budget of ${whose} is used up: ${tokensPerMonth.toLocaleString('en')} tokens. It starts again on ${month}. To go on before, ${remedy}.`,
    null,
    NO_RETRY,
  )
}

function noDevice(outcome: Outcome<'no-device'>, model: string): ApiError {
  return new ApiError(
    'model_unavailable',
    `No device was available for the model \`${model}\` in time. Check on the Devices page that one is online, then try again.`,
    'model',
    retryIn(outcome),
  )
}

function keyRevoked(): ApiError {
  return new ApiError(
    'invalid_api_key',
    'Incorrect API key provided. The key was revoked while the request was running.',
  )
}

function crashed(): ApiError {
  return new ApiError(
    'server_error',
    'This request crashed the engine of every device that tried it. Change or shorten it before you send it again, or ask whoever runs the device: `hearth device status` says why it crashed, and `hearth device unblock` accepts the request again.',
    null,
    NO_RETRY,
  )
}

function deviceLost(): ApiError {
  return new ApiError(
    'server_error',
    'The device disconnected or failed while answering this request. Please try again.',
  )
}

function timedOut({ limit }: Outcome<'timed-out'>): ApiError {
  const headers = limit === 'total' ? NO_RETRY : {}
  return new ApiError('server_error', `The device took too long ${TOO_LONG[limit]}.`, null, headers)
}

/** Also for requests that come while the gateway shuts down. */
export function shuttingDown(): ApiError {
  return new ApiError('service_unavailable', 'The service is restarting. Please try again.', null, {
    'retry-after': '1',
  })
}

function retryIn(outcome: { retryMs?: number | undefined }): { 'retry-after': string } {
  return { 'retry-after': String(retrySeconds(outcome)) }
}

function retrySeconds({ retryMs }: { retryMs?: number | undefined }): number {
  return retryMs === undefined ? RETRY_S : Math.min(Math.max(1, Math.ceil(retryMs / 1_000)), LONGEST_RETRY_S)
}

/** The code of that error; empty for a job that was answered, and `canceled` for one whose client left. */
export function outcomeCode(outcome: JobOutcome, model: string): string {
  if (outcome.kind === 'ended') return ''
  return outcome.kind === 'cancelled' ? 'canceled' : outcomeError(outcome, model, []).code
}

export function modelDisabled(model: string): ApiError {
  return new ApiError(
    'model_disabled',
    `The model \`${model}\` was disabled or removed by an administrator of your organization.`,
    'model',
  )
}

function unsupported(missing: readonly string[], demands: readonly Need[]): ApiError {
  if (missing.includes('prefix_scope')) return cannotSeparate()
  const params = demands.filter(({ feature }) => missing.includes(feature)).map(({ param }) => param)
  const fields = params.map((param) => `'${param}'`).join(', ')
  return new ApiError(
    'unsupported_by_node',
    `No device that serves this model supports ${fields}. Update the device app on one of them, or leave the field out. Where a local server such as Ollama runs the model, that server has to support it.`,
    params[0] ?? null,
  )
}

function cannotSeparate(): ApiError {
  return new ApiError(
    'unsupported_by_node',
    "Your organization separates prefix reuse by API key, and no device that serves this model can do that. Update the device app on one of them; models of local servers can't do it. An owner can turn the setting off.",
    'model',
  )
}

function refusedByDevice({ code, message, param }: { code: string; message: string; param?: string }): ApiError {
  if (isApiErrorCode(code) && code !== 'server_error') return new ApiError(code, message, param ?? defaultParam(code))
  return new ApiError('server_error', 'The device could not answer this request.')
}

function defaultParam(code: string): string | null {
  if (code === 'context_length_exceeded') return 'messages'
  return code === 'invalid_json_schema' ? 'response_format' : null
}
