// API keys for apps. Shown once; they stop working when their creator leaves the organization.

import { z } from '@hono/zod-openapi'
import { body, routesOf, json } from './route.ts'
import { count, id, modelName, moment, name, object, tokensPerMonth } from './shapes.ts'

const route = routesOf('Keys')
const MAX_MODELS = 100

const limit = z.int().min(1).max(1_000_000_000)

export const limits = z
  .strictObject({
    requestsPerMinute: limit.optional(),
    tokensPerMinute: limit.optional().describe('Prompt and completion tokens'),
    jobsAtOnce: limit.optional(),
    tokensPerMonth: tokensPerMonth.optional(),
  })
  .openapi('KeyLimits', { description: 'A missing field means no limit' })

export const key = object('Key', {
  id,
  name: z.string(),
  hint: z.string().describe('The last characters of the key'),
  state: z.enum(['active', 'disabled', 'expired', 'revoked']),
  createdBy: z.object({ person: id, name: z.string() }),
  isYours: z.boolean(),
  createdAt: moment,
  expiresAt: moment.nullable(),
  lastUsedAt: moment.nullable(),
  models: z.array(z.string()).nullable().describe('The only models the key may use; null means all models'),
  limits,
  previous: z
    .object({ hint: z.string(), endsAt: moment })
    .nullable()
    .describe('The secret from before the last rotation, while it works'),
})

const expiresAt = moment.describe('When the key stops working')
const models = z.array(modelName).min(1).max(MAX_MODELS)
const withSecret = z.object({ key, secret: z.string() })

export const listKeys = route('get', '/organizations/{organization}/keys', {
  access: 'keys.read',
  summary: 'List your keys, a page at a time. Admins see all keys',
  request: {
    query: z.object({
      state: z.enum(['active', 'disabled', 'ended']).optional().describe('Ended keys are expired or revoked'),
      search: z.string().max(128).optional().describe('Words in the name, the hint or the creator'),
      sort: z.enum(['name', 'creator', 'created', 'used', 'expires']).default('created'),
      order: z.enum(['ascending', 'descending']).default('descending'),
      offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(100),
    }),
  },
  responses: json(
    'A page of keys',
    z.object({
      keys: z.array(key),
      counts: z
        .object({ active: count, disabled: count, ended: count })
        .describe('All keys that match the search, by state'),
    }),
  ),
})

export const readKey = route('get', '/organizations/{organization}/keys/{key}', {
  access: 'keys.read',
  summary: 'Get one key',
  responses: json('The key', key),
})

export const createKey = route('post', '/organizations/{organization}/keys', {
  access: 'keys.create',
  summary: 'Create a key. Members and organizations can have a limited number of keys',
  request: body(
    z.strictObject({
      name,
      expiresAt: expiresAt.optional(),
      models: models.optional(),
      limits: limits.optional(),
    }),
  ),
  responses: json('The key, with its secret, which is shown only once', withSecret),
})

export const changeKey = route('patch', '/organizations/{organization}/keys/{key}', {
  access: 'keys.change',
  summary: 'Change a key. Requests with a disabled key get a 401 and its running streams end',
  request: body(
    z.strictObject({
      name: name.optional(),
      expiresAt: expiresAt.nullable().optional().describe('Null means never'),
      models: models.nullable().optional().describe('Null means all models'),
      limits: limits.optional().describe('Replaces all limits'),
      state: z.enum(['active', 'disabled']).optional(),
    }),
  ),
  responses: json('The key', key),
})

export const rotateKey = route('post', '/organizations/{organization}/keys/{key}/rotate', {
  access: 'keys.change',
  summary: 'Give a key a new secret. The old one can keep working for a while',
  request: body(
    z.strictObject({
      oldWorksUntil: moment.optional().describe('Left out, the old secret stops now and its running streams end'),
    }),
  ),
  responses: json('The key, with its new secret, which is shown only once', withSecret),
})

export const endPreviousSecret = route('delete', '/organizations/{organization}/keys/{key}/previous', {
  access: 'keys.change',
  summary: 'Stop the secret from before the last rotation now',
})

export const revokeKey = route('delete', '/organizations/{organization}/keys/{key}', {
  access: 'keys.revoke',
  summary: 'Revoke a key. Its requests get a 401 and its running streams end',
})

export const createPlaygroundKey = route('post', '/organizations/{organization}/playground-key', {
  access: 'playground.use',
  summary:
    'Get your key for the playground. It is not listed, and ends with your session, after an hour at most. Asking again in the same session gives the same key',
  responses: json('The key', z.object({ secret: z.string(), expiresAt: moment })),
})
