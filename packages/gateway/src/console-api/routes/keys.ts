// API keys: made for programs, shown once, alive as long as their creator is a member.

import { z } from '@hono/zod-openapi'
import { body, describeRoute, done, json } from './route.ts'
import { id, modelName, moment, name, organizationPath, pathWith } from './shapes.ts'

const tags = ['Keys']
const MAX_MODELS = 100

const limit = z.int().min(1).max(1_000_000_000)

export const limits = z
  .strictObject({
    requestsPerMinute: limit.optional(),
    tokensPerMinute: limit.optional().openapi({ description: 'Prompt and answer together' }),
    jobsAtOnce: limit.optional(),
  })
  .openapi('KeyLimits', { description: 'What is absent is not limited' })

export const key = z
  .object({
    id,
    name: z.string(),
    hint: z.string().openapi({ description: 'Its last characters' }),
    state: z.enum(['active', 'expired', 'revoked']),
    createdBy: z.object({ person: id, name: z.string() }),
    isYours: z.boolean(),
    createdAt: moment,
    expiresAt: moment.nullable(),
    lastUsedAt: moment.nullable(),
    models: z.array(z.string()).nullable().openapi({ description: 'The only models it may use; null: all' }),
    limits,
  })
  .openapi('Key')

export const listKeys = describeRoute({
  access: 'keys.read',
  method: 'get',
  path: '/organizations/{organization}/keys',
  tags,
  operationId: 'listKeys',
  summary: 'Own keys; for admins, all keys. The newest first',
  request: { params: organizationPath },
  responses: json('The keys', z.object({ keys: z.array(key) })),
})

export const createKey = describeRoute({
  access: 'keys.create',
  method: 'post',
  path: '/organizations/{organization}/keys',
  tags,
  operationId: 'createKey',
  summary: 'Make a key',
  request: {
    params: organizationPath,
    ...body(
      z.strictObject({
        name,
        expiresAt: moment.optional(),
        models: z.array(modelName).min(1).max(MAX_MODELS).optional(),
        limits: limits.optional(),
      }),
    ),
  },
  responses: json('The key; its secret is shown once', z.object({ key, secret: z.string() })),
})

export const revokeKey = describeRoute({
  access: 'keys.revoke',
  method: 'delete',
  path: '/organizations/{organization}/keys/{key}',
  tags,
  operationId: 'revokeKey',
  summary: 'Revoke a key: its requests are refused, its running streams end',
  request: { params: pathWith('key') },
  responses: done,
})

export const createPlaygroundKey = describeRoute({
  access: 'playground.use',
  method: 'post',
  path: '/organizations/{organization}/playground-key',
  tags,
  operationId: 'createPlaygroundKey',
  summary: 'A key for the playground: not listed, valid for an hour at most, and no longer than the session',
  request: { params: organizationPath },
  responses: json('The key', z.object({ secret: z.string(), expiresAt: moment })),
})
