// Schemas shared by several parts of the console API. Bodies are strict: unknown fields are rejected, never stored.

import { MAX_SOURCE_LENGTH } from '@hearth/protocol'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@hearth/password-rules/bounds'
import { z } from '@hono/zod-openapi'
import { PRINTABLE } from '../../text/printable.ts'

/** Maximum length of the name of a person, key, device or organization. */
const MAX_NAME = 128
const MAX_MODEL_NAME = 256
/** Maximum length of a token, code or id; anything longer is rejected without a lookup. */
const MAX_SECRET = 256

/** A schema with a name of its own in the description of the API. */
export function object<Fields extends z.ZodRawShape>(
  name: string,
  ...rest: [fields: Fields] | [description: string, fields: Fields]
) {
  const [fields, description] = rest.length === 1 ? rest : [rest[1], rest[0]]
  return z.object(fields).openapi(name, description === undefined ? {} : { description })
}

const printable = (text: z.ZodString, most: number, example: string) =>
  text.min(1).max(most).regex(PRINTABLE, 'expected no control characters').openapi({ example })

export const name = printable(z.string().trim(), MAX_NAME, 'Build server')
export const modelName = printable(z.string(), MAX_MODEL_NAME, 'qwen3:8b')
/** A name, a reference to a hub or an address that a model comes from. */
export const modelSource = printable(z.string().trim(), MAX_SOURCE_LENGTH, 'qwen3:8b')
export const id = z.string().min(1).max(MAX_SECRET)
export const secret = z.string().min(1).max(MAX_SECRET)
export const email = z.email().max(254).openapi({ example: 'ada@example.com' })
export const password = z.string().min(SHORTEST_PASSWORD).max(LONGEST_PASSWORD)
export const dateTime = z.iso.datetime().openapi({ description: 'UTC', example: '2026-11-15T12:00:00.000Z' })
/** Of an organization. */
export const deletesAt = dateTime.nullable().describe('Set while the organization is being deleted')
export const role = z.enum(['owner', 'admin', 'member']).openapi('Role')
export const count = z.int().min(0)
/** Which part of a long list. */
export const page = {
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(100),
}
export const sealingMode = z.enum(['off', 'optional', 'required']).openapi('SealingMode', {
  description:
    'off: sealed requests get a 403; optional: plain and sealed requests work; required: plain requests get a 403',
})

export const errorBody = object('Error', {
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string(),
  }),
})

export const tokensPerMonth = z
  .int()
  .min(1)
  .max(1_000_000_000_000)
  .describe('Budget: prompt and completion tokens per calendar month, UTC. Null means none')
