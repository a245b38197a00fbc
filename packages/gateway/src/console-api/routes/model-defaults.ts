// The defaults of a model, for the fields that a request leaves out.

import { MAX_CHAT_TEMPLATE_LENGTH, MAX_SYSTEM_MESSAGE_LENGTH } from '@hearth/protocol'
import { z } from '@hono/zod-openapi'
import { body, routesOf, json } from './route.ts'
import { modelName } from './shapes.ts'

const route = routesOf('Models')

const LOCAL_SERVERS_IGNORE_IT = 'Local servers have their own'
const penalty = z.number().min(-2).max(2).nullable()
const defaults = z
  .strictObject({
    temperature: z.number().min(0).max(2).nullable(),
    topP: z.number().min(0).max(1).nullable(),
    maxTokens: z.int().min(1).max(1_000_000).nullable(),
    frequencyPenalty: penalty,
    presencePenalty: penalty,
    topK: z.int().min(1).max(1_000_000).nullable().openapi({ description: LOCAL_SERVERS_IGNORE_IT }),
    minP: z.number().min(0).max(1).nullable().openapi({ description: LOCAL_SERVERS_IGNORE_IT }),
    repeatPenalty: z.number().min(0.1).max(2).nullable().openapi({ description: LOCAL_SERVERS_IGNORE_IT }),
    systemMessage: z
      .string()
      .min(1)
      .max(MAX_SYSTEM_MESSAGE_LENGTH)
      .nullable()
      .describe('For conversations without a system or developer message'),
    chatTemplate: z
      .string()
      .min(1)
      .max(MAX_CHAT_TEMPLATE_LENGTH)
      .nullable()
      .describe("Replaces the template in the model's file (Jinja). Local servers keep their own"),
  })
  .openapi('ModelDefaults', { description: "Null means that nothing is set. A request's own fields always win" })

export const bothDefaults = z.object({ own: defaults, recommended: defaults })

export const getModelDefaults = route('get', '/organizations/{organization}/models/defaults', {
  access: 'models.read',
  summary: 'Show what requests to a model get where they say nothing',
  request: { query: z.object({ name: modelName }) },
  responses: json(
    "The organization's own settings come first, then what the model's authors recommend. The engine decides the rest",
    bothDefaults,
  ),
})

export const putModelDefaults = route('put', '/organizations/{organization}/models/defaults', {
  access: 'models.change',
  summary: 'Replace what requests to a model get where they say nothing. Devices use it from their next job on',
  request: body(z.strictObject({ name: modelName, defaults })),
})
