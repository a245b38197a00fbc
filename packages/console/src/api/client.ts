// Calls to the console API, typed by its OpenAPI description. Every call ends with its data or with an ApiFailure.

import createClient from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

export type Schemas = components['schemas']

/** The gateway responds within milliseconds. After a minute, no response is coming. */
const DEADLINE_MS = 60_000

export const api = createClient<paths>({ baseUrl: '/api/v1', fetch: fetchInTime })

export class ApiFailure extends Error {
  /** 0 if there was no response. */
  readonly status: number
  readonly code: string
  /** The field that caused the error, if any. */
  readonly param: string | null

  constructor(status: number, { code, message, param }: { code: string; message: string; param: string | null }) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
  }
}

type Result<Data> =
  | { data: Data; error?: undefined; response: Response }
  | { data?: undefined; error: unknown; response: Response }

/** The data of a response: `await send(api.GET('/me'))`. */
export async function send<Data>(call: Promise<Result<Data>>): Promise<Data> {
  const { data, error, response } = await call
  if (response.ok) return data as Data
  throw new ApiFailure(response.status, readError(error, response.status))
}

/** For the few addresses that the OpenAPI description leaves to the browser: GET, or POST with a body. */
export async function sendTo<Answer>(address: string, body?: object): Promise<Answer> {
  const request = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetchInTime(new Request(address, request))
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw new ApiFailure(response.status, readError(answer, response.status))
  return answer as Answer
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'not_signed_in'
}

/** The gateway works, but it cannot read or save anything. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'database_unavailable'
}

/** Worth retrying automatically: the gateway is restarting or unreachable. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 0 || error.status >= 502)
}

async function fetchInTime(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(DEADLINE_MS)]) })
  } catch (error) {
    if (request.signal.aborted) throw error
    throw new ApiFailure(0, {
      code: 'unreachable',
      message: "Can't reach the gateway. It may be restarting, or the network is down.",
      param: null,
    })
  }
}

function readError(body: unknown, status: number): Schemas['Error']['error'] {
  if (typeof body === 'object' && body !== null && 'error' in body) return (body as Schemas['Error']).error
  return { code: 'unknown', type: 'unknown', param: null, message: `The gateway returned status ${status}.` }
}
