// Models an organization has enabled, and those its devices offer.

import { FEATURES } from '@hearth/protocol'
import { z } from '@hono/zod-openapi'
import { body, describeRoute, done, json } from './route.ts'
import { count, id, modelName, moment, name, organizationPath } from './shapes.ts'

const tags = ['Models']

export const feature = z.enum(FEATURES).openapi('Feature')

export const serving = z
  .object({
    device: id,
    name: z.string(),
    isPaused: z.boolean(),
    contextLength: count,
    slots: count,
    running: count,
    features: z.array(feature),
    tokensPerSecond: z.number().nullable().openapi({ description: 'Of recent answers; null before the first' }),
  })
  .openapi('Serving', { description: 'A linked device that serves the model' })

export const model = z
  .object({
    name: z.string(),
    state: z
      .enum(['enabled', 'disabled', 'offered'])
      .openapi({ description: 'offered: devices serve it, nobody enabled it' }),
    ownedBy: z.string().nullable(),
    createdAt: moment.nullable(),
    contextLength: count.nullable().openapi({ description: 'The largest among its devices' }),
    features: z.array(feature).openapi({ description: 'Those at least one of its devices has' }),
    slots: count,
    running: count,
    queued: count,
    devices: z.array(serving),
  })
  .openapi('Model')

export const listModels = describeRoute({
  access: 'models.read',
  method: 'get',
  path: '/organizations/{organization}/models',
  tags,
  operationId: 'listModels',
  summary: 'Enabled, disabled and offered models, by name',
  request: { params: organizationPath },
  responses: json('The models', z.object({ models: z.array(model) })),
})

export const putModel = describeRoute({
  access: 'models.change',
  method: 'put',
  path: '/organizations/{organization}/models',
  tags,
  operationId: 'putModel',
  summary:
    'Enable or disable a model, or change its owner label. Any name may be enabled, also one no device offers yet',
  request: {
    params: organizationPath,
    ...body(
      z.strictObject({
        name: modelName,
        state: z.enum(['enabled', 'disabled']),
        ownedBy: name
          .optional()
          .openapi({ description: 'Shown to API clients as owned_by; the organization by default' }),
      }),
    ),
  },
  responses: done,
})

export const removeModel = describeRoute({
  access: 'models.change',
  method: 'delete',
  path: '/organizations/{organization}/models',
  tags,
  operationId: 'removeModel',
  summary: 'Remove a model: requests for it are answered 403 from then on, until it is enabled again',
  request: { params: organizationPath, query: z.object({ name: modelName }) },
  responses: done,
})
