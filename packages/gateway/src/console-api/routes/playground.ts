// The playground, beside its key: what is known about requests that wait.

import { z } from '@hono/zod-openapi'
import { routesOf, json } from './route.ts'
import { count, object } from './shapes.ts'

const route = routesOf('Playground')

export const waitingRequest = object('WaitingRequest', {
  model: z.string(),
  state: z
    .enum(['queued', 'starting', 'loading', 'prompt', 'reasoning', 'searching'])
    .describe(
      'queued: no device has accepted it yet. loading: the device loads the model. prompt: the device reads the prompt',
    ),
  device: z.string().nullable().describe('The name of the device that accepted it'),
  done: count.nullable().describe('Tokens of the prompt that the device has read'),
  total: count.nullable().describe('Tokens of the prompt'),
  place: count.nullable().describe('Its place in line: 1 is next. Null once it has a device'),
  expectedMs: count
    .nullable()
    .describe('How long it is expected to take until the first token. Null while nothing like it was measured'),
})

export const listWaitingRequests = route('get', '/organizations/{organization}/playground-requests', {
  access: 'playground.use',
  summary: 'List the requests of your playground key that have no text yet, oldest first, and what they wait for',
  responses: json('The requests', z.object({ requests: z.array(waitingRequest) })),
})
