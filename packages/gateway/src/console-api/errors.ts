// Turns anything that a handler throws into an error of the table.

import type { Hook } from '@hono/zod-openapi'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ApiError, errorBody, toApiError } from '@hearth/chat'
import { readFault } from '../access/read-fault.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleParts } from './console.ts'

export function answerError(thrown: unknown, context: ConsoleContext, parts: ConsoleParts): Response {
  const known = readFault(thrown) ?? readFrameworkError(thrown)
  if (!known) parts.onInternalError(thrown, context.env.requestId)
  const error = known ?? toApiError(thrown)
  const headers = { 'content-type': 'application/json', ...error.headers }
  return context.body(errorBody(error), error.status as ContentfulStatusCode, headers)
}

/** The framework's own errors are only about bodies that it cannot parse. */
function readFrameworkError(thrown: unknown): ApiError | undefined {
  const isTheirs = thrown instanceof HTTPException && thrown.status < 500
  return isTheirs ? new ApiError('invalid_json', 'We could not parse the JSON body of your request.') : undefined
}

/** Rejects a body, query or path that does not match its schema. */
export const rejectInvalid: Hook<unknown, ConsoleEnv, string, unknown> = (result) => {
  if (result.success) return
  const [issue] = result.error.issues
  const param = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys : [])].join('.') || null
  const what = param ? `'${param.slice(0, 64)}'` : result.target === 'json' ? 'body' : result.target
  throw new ApiError('invalid_value', `Invalid ${what}: ${issue?.message.slice(0, 256)}`, param)
}
