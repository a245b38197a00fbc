// The latest requests, one by one: what they were about, how they ended and how long they took. Never their content.

import { MAX_REQUEST_ID_LENGTH } from '@hearth/protocol'
import { z } from '@hono/zod-openapi'
import type { ListedRequest } from '../../store/usage/requests.ts'
import { ownOnly } from '../console.ts'
import { routesOf, json } from '../routes/route.ts'
import { count, dateTime, id, object } from '../routes/shapes.ts'
import { statusOf } from './usage.ts'

const route = routesOf('Usage')

const request = object('Request', {
  number: count.describe('Increases by one with every request of the organization'),
  at: dateTime.describe('When it ended'),
  id: z.string().describe("The x-request-id of the response: the client's own, if it sent one"),
  key: z.object({ id: z.string(), name: z.string() }),
  model: z.string().describe('Empty if the organization has no such model'),
  device: z.object({ id: z.string(), name: z.string() }).nullable(),
  status: count.describe('499 if the client disconnected'),
  code: z.string().nullable().describe('The error code, or canceled if the client disconnected'),
  promptTokens: count,
  completionTokens: count,
  waitMs: count.describe('Until a device took it'),
  firstTokenMs: count.nullable(),
  totalMs: count,
  attempts: count.describe('How often it was offered to a device'),
  isStream: z.boolean(),
  isSealed: z.boolean().describe('True if the gateway could not read it'),
  takeOver: z
    .object({
      left: z.object({ id: z.string(), name: z.string() }),
      gapMs: count.describe('How long nothing of the reply came'),
    })
    .nullable()
    .describe('Set if `device` continued a reply that the device `left` had begun'),
})

export const listRequests = route('get', '/organizations/{organization}/requests', {
  access: 'usage.read',
  summary: 'List the latest requests of your keys, newest first, without any content. Admins see all keys',
  request: {
    query: z.object({
      before: z.coerce.number().int().min(0).optional().describe('The `next` of the page before'),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
      id: z.string().max(MAX_REQUEST_ID_LENGTH).optional().describe('The x-request-id of the response'),
      key: id.optional(),
      model: z.string().max(256).optional().describe('Empty for models that do not exist'),
      device: z.string().max(256).optional().describe('Empty for requests without a device'),
      result: z.string().min(1).max(64).optional().describe('answered, failed, canceled, or an error code'),
      from: dateTime.optional(),
      to: dateTime.optional(),
    }),
  },
  responses: json(
    'A page of requests',
    z.object({
      requests: z.array(request),
      next: count.nullable().describe('Pass it as `before` to get the next page'),
    }),
  ),
  async handle({ store }, context, { id: wanted, result, from, to, ...query }) {
    const { requests, next } = await store.listRequests({
      ...query,
      request: wanted,
      code: result,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      ...ownOnly(context),
    })
    return { requests: requests.map(describeRequest), next }
  },
})

/** The status for a client that left before the end: nobody got it, and the web has a custom for it. */
const CLIENT_LEFT = 499

function describeRequest(row: ListedRequest) {
  const { code, takeOver } = row
  return {
    ...row,
    id: row.request,
    key: { id: row.key, name: row.keyName },
    device: row.device === '' ? null : { id: row.device, name: row.deviceName },
    status: code === '' ? 200 : code === 'canceled' ? CLIENT_LEFT : statusOf(code),
    code: code === '' ? null : code,
    takeOver: takeOver && {
      left: { id: takeOver.left, name: row.leftName ?? takeOver.left },
      gapMs: takeOver.gapMs,
    },
  }
}
