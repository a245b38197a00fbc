// Every error that a client of /openai/v1, the console or a device can get. Code throws `new ApiError(code, message, param)`; only this
// file knows statuses, types and bodies. docs/errors.md is generated from `means`.

export const API_ERRORS = {
  invalid_api_key: error(
    401,
    'The API key is missing, wrong, revoked or expired, or its creator has left the organization.',
  ),
  not_signed_in: error(401, 'Console: you are not signed in, or your session has ended.'),
  wrong_sign_in: error(401, 'Console: wrong email address, password or code, or the sign-in took too long.'),
  not_permitted: error(403, 'Console: your role does not allow this.'),
  wrong_origin: error(403, 'Console: the request came from a page of another site.'),
  not_found: error(404, 'Console: this does not exist in the organization.'),
  conflict: error(409, 'Console, hearth-seal: this already exists, or someone changed it in the meantime.'),
  quota_exceeded: error(
    409,
    'Console, device: you or the organization have as many of these as allowed. The message says how to make room.',
  ),
  device_refused: error(
    409,
    'Console: the device cannot do this now: it is offline, too old, does not allow it, has no room, or cannot get the model. The message says which, and what to do.',
  ),
  hub_unreachable: error(409, 'Console: the device cannot reach the model hub. The message says why, and what to do.'),
  weak_password: error(400, 'Console: the new password is easy to guess. The message says what to change.'),
  not_set_up: error(409, 'Console: the gateway lacks a setting that this needs. The message names it.'),
  being_deleted: error(409, 'Console: the organization is being deleted, and an owner has not restored it.'),
  last_owner: error(409, 'Console: an organization needs at least one owner.'),
  invalid_link: error(410, 'Console: the link is unknown, used, revoked or expired.'),
  authorization_pending: error(400, 'Device: the code has not been approved yet. Keep polling.'),
  slow_down: error(400, 'Device: it polled too soon. From now on it has to wait five seconds longer between polls.'),
  access_denied: error(400, 'Device: its code was denied, or there were too many wrong attempts at it.'),
  expired_token: error(400, 'Device: its code has expired or was already used.'),
  invalid_json: error(400, 'The body is empty, not UTF-8, not JSON, or nested more than 64 levels deep.'),
  invalid_type: error(400, 'A field has the wrong JSON type.'),
  invalid_value: error(
    400,
    'A field has the right type but a value that is not allowed, or two fields contradict each other.',
  ),
  unsupported_value: error(
    400,
    'The value exists in the reference API but is not supported here; the message lists the supported ones.',
  ),
  unsupported_parameter: error(400, 'The field, or this value of it, is not supported.'),
  unsupported_content_part: error(400, 'A message contains a part that is not text.'),
  unsupported_content_type: error(400, 'The content type of the body is not application/json.'),
  missing_required_parameter: error(400, 'A required field is missing or null.'),
  empty_array: error(400, 'An array is empty but needs at least one item.'),
  empty_string: error(400, 'A string is empty but needs at least one character.'),
  array_above_max_length: error(400, 'An array has more items than allowed.'),
  string_above_max_length: error(400, 'A string is longer than allowed.'),
  integer_below_min_value: error(400, 'A whole number is below its minimum.'),
  integer_above_max_value: error(400, 'A whole number is above its maximum.'),
  decimal_below_min_value: error(400, 'A number is below its minimum.'),
  decimal_above_max_value: error(400, 'A number is above its maximum.'),
  invalid_json_schema: error(
    400,
    'The JSON Schema of response_format cannot be enforced by the device; the message names the keyword.',
  ),
  invalid_function_parameters: error(
    400,
    'The JSON Schema of a tool cannot be used by the device; the message names the keyword.',
  ),
  context_length_exceeded: error(400, 'The prompt does not fit into the context window of the model.'),
  unsupported_by_node: error(
    400,
    'Devices serve the model, but none of them supports every field of the request. Update the device app.',
  ),
  bad_request: error(400, 'The request is not valid HTTP.'),
  sealed_required: error(
    403,
    'The organization takes only sealed requests. Send yours to `hearth-seal proxy` on your own machine.',
  ),
  sealed_off: error(
    403,
    'hearth-seal: the organization does not take sealed requests. An administrator can turn them on.',
  ),
  model_disabled: error(403, 'An admin disabled or removed the model.'),
  model_not_found: error(404, 'The organization has no model with this name.'),
  unknown_url: error(404, 'Nothing is served at this path.'),
  method_not_allowed: error(
    405,
    'The path does not support this method; the Allow header lists the methods it supports.',
  ),
  request_timeout: error(408, 'The body took too long to arrive.'),
  request_too_large: error(413, 'The body is larger than the limit.'),
  unsupported_content_encoding: error(
    415,
    'The body is compressed in a way that is not supported; the message lists what is.',
  ),
  headers_too_large: error(431, 'The request headers are larger than the limit.'),
  rate_limit_exceeded: error(
    429,
    'You reached a rate limit of the key, too many requests of the key or organization are waiting or use too much memory, or there were too many attempts to sign in. Retry after the time in the retry-after header.',
  ),
  insufficient_quota: error(
    429,
    'The monthly token budget of the key, of its creator or of the organization is used up. The message says which, when it starts again and who can raise it. Retrying does not help.',
    'insufficient_quota',
  ),
  server_error: error(
    500,
    'A device failed while answering and the request could not be retried, or the gateway itself failed.',
  ),
  model_unavailable: error(503, 'No device was available for the model within the waiting time. Retry later.'),
  seal_rejected: error(
    502,
    'hearth-seal: no device could open the sealed request: it was not sealed for them, or a clock is off. The message says which.',
  ),
  seal_mismatch: error(
    502,
    "hearth-seal: something from the gateway doesn't fit your organization's seal: a wrong seal, an old list, or a reply that was changed or cut. Nothing of it was shown. The message says what to do.",
  ),
  database_unavailable: error(
    503,
    'Console: the database is not answering, so nothing can be read or saved. Devices that join get it too. Retry in a few seconds; requests with known API keys keep working meanwhile.',
  ),
  service_unavailable: error(
    503,
    'The gateway is starting or shutting down, cannot reach its database, is overloaded, or has no memory left for the request. Retry after the time in retry-after.',
  ),
} as const

function error<Status extends number>(status: Status, means: string, type?: 'insufficient_quota') {
  const fault = status < 500 ? 'invalid_request_error' : 'server_error'
  return { status, type: type ?? (status === 429 ? 'requests' : fault), means }
}

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
