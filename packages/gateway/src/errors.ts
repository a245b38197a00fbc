// Every error a client can get, of /openai/v1, of the console API and of the device's own calls. Code throws `new ApiError(code, message, param)`; only this file knows statuses, types and bodies.
// `means` is printed into docs/errors.md, which a test compares with this table.

const REQUEST = 'invalid_request_error'
const SERVER = 'server_error'

export const API_ERRORS = {
  invalid_api_key: {
    status: 401,
    type: REQUEST,
    means: 'No key was sent, or it is wrong, deleted, expired, or its creator has left the organization.',
  },
  not_signed_in: { status: 401, type: REQUEST, means: 'Console: nobody is signed in, or the session has ended.' },
  wrong_sign_in: {
    status: 401,
    type: REQUEST,
    means: 'Console: the address, password or code is wrong, or the sign-in took too long.',
  },
  not_permitted: { status: 403, type: REQUEST, means: 'Console: the role of the person does not allow this.' },
  wrong_origin: {
    status: 403,
    type: REQUEST,
    means: 'Console: the request was sent by a page of another site.',
  },
  not_found: { status: 404, type: REQUEST, means: 'Console: the organization has nothing of this name.' },
  conflict: {
    status: 409,
    type: REQUEST,
    means: 'Console: it exists already, or what it builds on was changed in the meantime.',
  },
  last_owner: { status: 409, type: REQUEST, means: 'Console: an organization keeps at least one owner.' },
  invalid_link: {
    status: 410,
    type: REQUEST,
    means: 'Console: the link is unknown, was used, was revoked or has expired.',
  },
  authorization_pending: { status: 400, type: REQUEST, means: 'Device: nobody has approved the code yet.' },
  slow_down: {
    status: 400,
    type: REQUEST,
    means: 'Device: it asked too soon. From now on it waits five seconds longer between two questions.',
  },
  access_denied: {
    status: 400,
    type: REQUEST,
    means: 'Device: its code was denied, or too many wrong codes were tried.',
  },
  expired_token: { status: 400, type: REQUEST, means: 'Device: its code has expired or was used.' },
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
    means: 'A value exists in the reference API but not here; the message lists those that do.',
  },
  unsupported_parameter: {
    status: 400,
    type: REQUEST,
    means: 'The field, or this value of it, is not offered by the service.',
  },
  unsupported_content_part: { status: 400, type: REQUEST, means: 'A message holds a part that is not text.' },
  unsupported_content_type: {
    status: 400,
    type: REQUEST,
    means: 'The body was sent as something other than application/json.',
  },
  missing_required_parameter: { status: 400, type: REQUEST, means: 'A required field is absent or null.' },
  empty_array: { status: 400, type: REQUEST, means: 'An array that needs at least one item is empty.' },
  empty_string: { status: 400, type: REQUEST, means: 'A string that needs at least one character is empty.' },
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
    means: 'The prompt does not fit into the context of the model.',
  },
  unsupported_by_node: {
    status: 400,
    type: REQUEST,
    means: 'Devices serve the model, but none supports every field that was sent. Update the device app.',
  },
  bad_request: { status: 400, type: REQUEST, means: 'The request is not valid HTTP.' },
  model_disabled: { status: 403, type: REQUEST, means: 'An administrator has disabled or removed the model.' },
  model_not_found: { status: 404, type: REQUEST, means: 'The organization has no model of this name.' },
  unknown_url: { status: 404, type: REQUEST, means: 'Nothing is served at this path.' },
  method_not_allowed: {
    status: 405,
    type: REQUEST,
    means: 'The path exists, but not for this method; the Allow header lists those that do.',
  },
  request_timeout: { status: 408, type: REQUEST, means: 'The body arrived too slowly.' },
  request_too_large: { status: 413, type: REQUEST, means: 'The body is larger than the limit.' },
  headers_too_large: { status: 431, type: REQUEST, means: 'The request headers are larger than the limit.' },
  rate_limit_exceeded: {
    status: 429,
    type: 'requests',
    means:
      'A limit of the key is reached, too many requests of the key or organization are waiting, or too many secrets were tried. Retry after the time in the retry-after header.',
  },
  server_error: {
    status: 500,
    type: SERVER,
    means: 'A device failed while answering and the request could not be run again, or the service itself failed.',
  },
  model_unavailable: {
    status: 503,
    type: SERVER,
    means: 'No device served the model within the waiting time. Retrying is appropriate.',
  },
  service_unavailable: {
    status: 503,
    type: SERVER,
    means: 'The service is starting, shutting down, or cannot confirm who may do what. Retry shortly.',
  },
} as const

export type ApiErrorCode = keyof typeof API_ERRORS

export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ApiErrorCode
  readonly param: string | null
  /** Extra response headers, e.g. retry-after. */
  readonly headers: Readonly<Record<string, string>>

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

/** The reference's error object. `error` comes first and alone: clients look for exactly this beginning in a stream. */
export function errorBody({ code, message, param }: ApiError): string {
  return JSON.stringify({ error: { message, type: API_ERRORS[code].type, param, code } })
}

/** Whatever was thrown becomes an error a client may see; what went wrong inside stays inside. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  return new ApiError(
    'server_error',
    'The server had an error while processing your request. Retry, and tell the operator the request id if it stays',
  )
}

export function isApiErrorCode(code: string): code is ApiErrorCode {
  return Object.hasOwn(API_ERRORS, code)
}
