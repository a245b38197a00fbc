// Every error that a client of /openai/v1, the console or a device can get. Code throws `new ApiError(code, message, param)`; only this
// file knows statuses, types and bodies. docs/errors.md is generated from `means`.

const REQUEST = 'invalid_request_error'
const SERVER = 'server_error'

export const API_ERRORS = {
  invalid_api_key: {
    status: 401,
    type: REQUEST,
    means: 'The API key is missing, wrong, revoked or expired, or its creator has left the organization.',
  },
  not_signed_in: { status: 401, type: REQUEST, means: 'Console: you are not signed in, or your session has ended.' },
  wrong_sign_in: {
    status: 401,
    type: REQUEST,
    means: 'Console: wrong email address, password or code, or the sign-in took too long.',
  },
  not_permitted: { status: 403, type: REQUEST, means: 'Console: your role does not allow this.' },
  wrong_origin: {
    status: 403,
    type: REQUEST,
    means: 'Console: the request came from a page of another site.',
  },
  not_found: { status: 404, type: REQUEST, means: 'Console: this does not exist in the organization.' },
  conflict: {
    status: 409,
    type: REQUEST,
    means: 'Console, hearth-seal: this already exists, or someone changed it in the meantime.',
  },
  quota_exceeded: {
    status: 409,
    type: REQUEST,
    means:
      'Console, device: you or the organization have as many of these as allowed. The message says how to make room.',
  },
  device_refused: {
    status: 409,
    type: REQUEST,
    means:
      'Console: the device cannot do this now: it is offline, too old, does not allow it, has no room, or cannot get the model. The message says which, and what to do.',
  },
  weak_password: {
    status: 400,
    type: REQUEST,
    means: 'Console: the new password is easy to guess. The message says what to change.',
  },
  not_set_up: {
    status: 409,
    type: REQUEST,
    means: 'Console: the gateway lacks a setting that this needs. The message names it.',
  },
  being_deleted: {
    status: 409,
    type: REQUEST,
    means: 'Console: the organization is being deleted, and an owner has not restored it.',
  },
  last_owner: { status: 409, type: REQUEST, means: 'Console: an organization needs at least one owner.' },
  invalid_link: {
    status: 410,
    type: REQUEST,
    means: 'Console: the link is unknown, used, revoked or expired.',
  },
  authorization_pending: {
    status: 400,
    type: REQUEST,
    means: 'Device: the code has not been approved yet. Keep polling.',
  },
  slow_down: {
    status: 400,
    type: REQUEST,
    means: 'Device: it polled too soon. From now on it has to wait five seconds longer between polls.',
  },
  access_denied: {
    status: 400,
    type: REQUEST,
    means: 'Device: its code was denied, or there were too many wrong attempts at it.',
  },
  expired_token: { status: 400, type: REQUEST, means: 'Device: its code has expired or was already used.' },
  invalid_json: {
    status: 400,
    type: REQUEST,
    means: 'The body is empty, not UTF-8, not JSON, or nested more than 64 levels deep.',
  },
  invalid_type: { status: 400, type: REQUEST, means: 'A field has the wrong JSON type.' },
  invalid_value: {
    status: 400,
    type: REQUEST,
    means: 'A field has the right type but a value that is not allowed, or two fields contradict each other.',
  },
  unsupported_value: {
    status: 400,
    type: REQUEST,
    means: 'The value exists in the reference API but is not supported here; the message lists the supported ones.',
  },
  unsupported_parameter: {
    status: 400,
    type: REQUEST,
    means: 'The field, or this value of it, is not supported.',
  },
  unsupported_content_part: { status: 400, type: REQUEST, means: 'A message contains a part that is not text.' },
  unsupported_content_type: {
    status: 400,
    type: REQUEST,
    means: 'The content type of the body is not application/json.',
  },
  missing_required_parameter: { status: 400, type: REQUEST, means: 'A required field is missing or null.' },
  empty_array: { status: 400, type: REQUEST, means: 'An array is empty but needs at least one item.' },
  empty_string: { status: 400, type: REQUEST, means: 'A string is empty but needs at least one character.' },
  array_above_max_length: { status: 400, type: REQUEST, means: 'An array has more items than allowed.' },
  string_above_max_length: { status: 400, type: REQUEST, means: 'A string is longer than allowed.' },
  integer_below_min_value: { status: 400, type: REQUEST, means: 'A whole number is below its minimum.' },
  integer_above_max_value: { status: 400, type: REQUEST, means: 'A whole number is above its maximum.' },
  decimal_below_min_value: { status: 400, type: REQUEST, means: 'A number is below its minimum.' },
  decimal_above_max_value: { status: 400, type: REQUEST, means: 'A number is above its maximum.' },
  invalid_json_schema: {
    status: 400,
    type: REQUEST,
    means: 'The JSON Schema of response_format cannot be enforced by the device; the message names the keyword.',
  },
  invalid_function_parameters: {
    status: 400,
    type: REQUEST,
    means: 'The JSON Schema of a tool cannot be used by the device; the message names the keyword.',
  },
  context_length_exceeded: {
    status: 400,
    type: REQUEST,
    means: 'The prompt does not fit into the context window of the model.',
  },
  unsupported_by_node: {
    status: 400,
    type: REQUEST,
    means: 'Devices serve the model, but none of them supports every field of the request. Update the device app.',
  },
  bad_request: { status: 400, type: REQUEST, means: 'The request is not valid HTTP.' },
  sealed_required: {
    status: 403,
    type: REQUEST,
    means: 'The organization takes only sealed requests. Send yours to `hearth-seal proxy` on your own machine.',
  },
  sealed_off: {
    status: 403,
    type: REQUEST,
    means: 'hearth-seal: the organization does not take sealed requests. An administrator can turn them on.',
  },
  model_disabled: { status: 403, type: REQUEST, means: 'An admin disabled or removed the model.' },
  model_not_found: { status: 404, type: REQUEST, means: 'The organization has no model with this name.' },
  unknown_url: { status: 404, type: REQUEST, means: 'Nothing is served at this path.' },
  method_not_allowed: {
    status: 405,
    type: REQUEST,
    means: 'The path does not support this method; the Allow header lists the methods it supports.',
  },
  request_timeout: { status: 408, type: REQUEST, means: 'The body took too long to arrive.' },
  request_too_large: { status: 413, type: REQUEST, means: 'The body is larger than the limit.' },
  unsupported_content_encoding: {
    status: 415,
    type: REQUEST,
    means: 'The body is compressed in a way that is not supported; the message lists what is.',
  },
  headers_too_large: { status: 431, type: REQUEST, means: 'The request headers are larger than the limit.' },
  rate_limit_exceeded: {
    status: 429,
    type: 'requests',
    means:
      'You reached a rate limit of the key, too many requests of the key or organization are waiting or use too much memory, or there were too many attempts to sign in. Retry after the time in the retry-after header.',
  },
  server_error: {
    status: 500,
    type: SERVER,
    means: 'A device failed while answering and the request could not be retried, or the gateway itself failed.',
  },
  model_unavailable: {
    status: 503,
    type: SERVER,
    means: 'No device was available for the model within the waiting time. Retry later.',
  },
  seal_rejected: {
    status: 502,
    type: SERVER,
    means:
      'hearth-seal: no device could open the sealed request: it was not sealed for them, or a clock is off. The message says which.',
  },
  seal_mismatch: {
    status: 502,
    type: SERVER,
    means:
      "hearth-seal: something from the gateway doesn't fit your organization's seal: a wrong seal, an old list, or a reply that was changed or cut. Nothing of it was shown. The message says what to do.",
  },
  database_unavailable: {
    status: 503,
    type: SERVER,
    means:
      'Console: the database is not answering, so nothing can be read or saved. Devices that join get it too. Retry in a few seconds; requests with known API keys keep working meanwhile.',
  },
  service_unavailable: {
    status: 503,
    type: SERVER,
    means:
      'The gateway is starting or shutting down, cannot reach its database, is overloaded, or has no memory left for the request. Retry after the time in retry-after.',
  },
} as const

export type ApiErrorCode = keyof typeof API_ERRORS

export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ApiErrorCode
  readonly param: string | null
  /** Extra response headers, e.g. retry-after. */
  readonly headers: Readonly<Record<string, string>>
  /** The model that the rejected request names, once it was read. */
  model: string | undefined

  constructor(code: ApiErrorCode, message: string, param: string | null = null, headers: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.param = param
    this.headers = headers
  }

  get status(): number {
    return API_ERRORS[this.code].status
  }
}

/** The header that tells a client when to try again. */
export function retryAfter(waitMs: number): { 'retry-after': string } {
  return { 'retry-after': String(Math.ceil(waitMs / 1_000)) }
}

/** The reference API's error object. `error` is the only key: in a stream, clients look for exactly this beginning. */
export function errorBody({ code, message, param }: ApiError): string {
  return JSON.stringify({ error: { message, type: API_ERRORS[code].type, param, code } })
}

/** Turns anything thrown into an error that a client may see, without internal details. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  return new ApiError(
    'server_error',
    'The server had an error while processing your request. Retry; if it happens again, contact the operator with the request id.',
  )
}

export function isApiErrorCode(code: string): code is ApiErrorCode {
  return Object.hasOwn(API_ERRORS, code)
}
