// The latest requests, one by one: what they were about, how they ended and how long they took. Never their content.

import { z } from '@hono/zod-openapi'
import { routesOf, json } from './route.ts'
import { MAX_REQUEST_ID_LENGTH } from '@hearth/protocol'
import { count, id, moment } from './shapes.ts'

const route = routesOf('Usage')

const request = z
  .object({
    number: count.openapi({ description: 'Increases by one with every request of the organization' }),
    at: moment.openapi({ description: 'When it ended' }),
    id: z.string().openapi({ description: "The x-request-id of the response: the client's own, if it sent one" }),
    key: z.object({ id: z.string(), name: z.string() }),
    model: z.string().openapi({ description: 'Empty if the organization has no such model' }),
    device: z.object({ id: z.string(), name: z.string() }).nullable(),
    status: count.openapi({ description: '499 if the client disconnected' }),
    code: z.string().nullable().openapi({ description: 'The error code, or canceled if the client disconnected' }),
    promptTokens: count,
    completionTokens: count,
    waitMs: count.openapi({ description: 'Until a device took it' }),
    firstTokenMs: count.nullable(),
    totalMs: count,
    attempts: count.openapi({ description: 'How often it was offered to a device' }),
    isStream: z.boolean(),
    isSealed: z.boolean().openapi({ description: 'True if the gateway could not read it' }),
    takeOver: z
      .object({
        left: z.object({ id: z.string(), name: z.string() }),
        gapMs: count.openapi({ description: 'How long nothing of the reply came' }),
      })
      .nullable()
      .openapi({ description: 'Set if `device` continued a reply that the device `left` had begun' }),
  })
  .openapi('Request')

export const listRequests = route('get', '/organizations/{organization}/requests', {
  access: 'usage.read',
  summary: 'List the latest requests of your keys, newest first, without any content. Admins see all keys',
  request: {
    query: z.object({
      before: z.coerce.number().int().min(0).optional().openapi({ description: 'The `next` of the page before' }),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
      id: z.string().max(MAX_REQUEST_ID_LENGTH).optional().openapi({ description: 'The x-request-id of the response' }),
      key: id.optional(),
      model: z.string().max(256).optional().openapi({ description: 'Empty for models that do not exist' }),
      device: z.string().max(256).optional().openapi({ description: 'Empty for requests without a device' }),
      result: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .openapi({ description: 'answered, failed, canceled, or an error code' }),
      from: moment.optional(),
      to: moment.optional(),
    }),
  },
  responses: json(
    'A page of requests',
    z.object({
      requests: z.array(request),
      next: count.nullable().openapi({ description: 'Pass it as `before` to get the next page' }),
    }),
  ),
})
