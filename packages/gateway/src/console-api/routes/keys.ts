// API keys for apps. Shown once; they stop working when their creator leaves the organization.

import { z } from '@hono/zod-openapi'
import { body, describeRoute, done, json } from './route.ts'
import { id, modelName, moment, name, organizationPath, pathWith } from './shapes.ts'

const tags = ['Keys']
const MAX_MODELS = 100

const limit = z.int().min(1).max(1_000_000_000)

export const limits = z
  .strictObject({
    requestsPerMinute: limit.optional(),
    tokensPerMinute: limit.optional().openapi({ description: 'Prompt and completion tokens' }),
    jobsAtOnce: limit.optional(),
  })
  .openapi('KeyLimits', { description: 'A missing field means no limit' })

export const key = z
  .object({
    id,
    name: z.string(),
    hint: z.string().openapi({ description: 'The last characters of the key' }),
    state: z.enum(['active', 'expired', 'revoked']),
    createdBy: z.object({ person: id, name: z.string() }),
    isYours: z.boolean(),
    createdAt: moment,
    expiresAt: moment.nullable(),
    lastUsedAt: moment.nullable(),
    models: z
      .array(z.string())
      .nullable()
      .openapi({ description: 'The only models the key may use; null means all models' }),
    limits,
  })
  .openapi('Key')

export const listKeys = describeRoute({
  access: 'keys.read',
  method: 'get',
  path: '/organizations/{organization}/keys',
  tags,
  operationId: 'listKeys',
  summary: 'List your keys, newest first. Admins see all keys',
  request: { params: organizationPath },
  responses: json('The keys', z.object({ keys: z.array(key) })),
})

export const createKey = describeRoute({
  access: 'keys.create',
  method: 'post',
  path: '/organizations/{organization}/keys',
  tags,
  operationId: 'createKey',
  summary: 'Create a key. Members and organizations can have a limited number of keys',
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
  responses: json('The key, with its secret, which is shown only once', z.object({ key, secret: z.string() })),
})

export const revokeKey = describeRoute({
  access: 'keys.revoke',
  method: 'delete',
  path: '/organizations/{organization}/keys/{key}',
  tags,
  operationId: 'revokeKey',
  summary: 'Revoke a key. Its requests get a 401 and its running streams end',
  request: { params: pathWith('key') },
  responses: done,
})

export const createPlaygroundKey = describeRoute({
  access: 'playground.use',
  method: 'post',
  path: '/organizations/{organization}/playground-key',
  tags,
  operationId: 'createPlaygroundKey',
  summary:
    'Get your key for the playground. It is not listed, and ends with your session, after an hour at most. Asking again in the same session gives the same key',
  request: { params: organizationPath },
  responses: json('The key', z.object({ secret: z.string(), expiresAt: moment })),
})
