// Checks that apply to every reply, so that tests contain only what is specific to them.

import { expect } from 'vitest'
import type { Answer } from './client.ts'
import type { CompletionBody, ErrorBody } from './reply-shapes.ts'
import { IS_SEALED_RUN } from '../sealed-run.ts'

export interface ExpectedError {
  status: number
  code: string
  param?: string | null
}

/** hearth-seal lets no page read anything: the person's own key is behind it. */
const PAGES_MAY_READ = IS_SEALED_RUN ? null : '*'

/** The reference API's error object and nothing else, as JSON, with a request ID and readable from a browser. */
export function expectError(answer: Answer, expected: ExpectedError): ErrorBody['error'] {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: expected.status })
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
  expect(answer.headers.get('access-control-allow-origin')).toBe(PAGES_MAY_READ)
  const body = answer.json as ErrorBody
  expect(Object.keys(body)).toStrictEqual(['error'])
  expect(Object.keys(body.error).toSorted()).toStrictEqual(['code', 'message', 'param', 'type'])
  expect(body.error.code).toBe(expected.code)
  expect(body.error.type).toBe(typeOf(expected))
  expect(body.error.message).toMatch(/\S/)
  if (expected.param !== undefined) expect(body.error.param).toBe(expected.param)
  return body.error
}

function typeOf({ status, code }: ExpectedError): string {
  if (code === 'rate_limit_exceeded') return 'requests'
  if (code === 'insufficient_quota') return code
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

/** A 200 with a completion object; section I tests its exact format. */
export function expectCompletion(answer: Answer): CompletionBody {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  const body = answer.json as CompletionBody
  expect(body.object).toBe('chat.completion')
  expect(body.choices.length).toBeGreaterThan(0)
  return body
}
