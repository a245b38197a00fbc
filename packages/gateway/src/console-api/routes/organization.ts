// Organizations, and the overview of one: what it has and what is missing.

import { z } from '@hono/zod-openapi'
import { body, routesOf, json } from './route.ts'
import { count, deletesAt, id, moment, name, object, role, sealingMode, tokensPerMonth } from './shapes.ts'

const route = routesOf('Organization')

const separatesPrefixes = z
  .boolean()
  .describe(
    'Devices reuse only prompts of the same API key, so response times reveal nothing about the prompts of others. Devices that cannot do this (local servers, outdated apps) get no requests',
  )

export const organization = object('Organization', {
  id,
  name: z.string(),
  createdAt: moment,
  role,
  separatesPrefixes,
  sealing: sealingMode,
  tokensPerMonth: tokensPerMonth.nullable(),
  deletesAt,
})

export const createOrganization = route('post', '/organizations', {
  access: 'signed-in',
  summary: 'Create an organization and become its owner, if the gateway allows it',
  request: body(z.strictObject({ name })),
  responses: json('The organization', organization),
})

export const readOrganization = route('get', '/organizations/{organization}', {
  access: 'organization.read',
  summary: 'Get the organization and your role in it',
  responses: json('The organization', organization),
})

export const changeOrganization = route('patch', '/organizations/{organization}', {
  access: 'organization.change',
  summary: 'Rename the organization, or change its settings',
  request: {
    ...body(
      z.strictObject({
        name: name.optional(),
        separatesPrefixes: separatesPrefixes.optional(),
        tokensPerMonth: tokensPerMonth.nullable().optional(),
      }),
    ),
  },
})

export const deleteOrganization = route('post', '/organizations/{organization}/delete', {
  access: 'organization.delete',
  summary: 'Stop all access to the organization, and delete it in seven days',
  request: {
    ...body(z.strictObject({ name: z.string().max(256).describe('The name of the organization') })),
  },
  responses: json('When it will be deleted', z.object({ deletesAt: moment })),
})

export const restoreOrganization = route('post', '/organizations/{organization}/restore', {
  access: 'organization.delete',
  summary: 'Keep an organization that is being deleted. Everything works as before',
})

export const overview = object('Overview', {
  baseUrl: z
    .string()
    .openapi({ description: 'The base URL for API clients', example: 'https://hearth.example/openai/v1' }),
  isSealed: z
    .boolean()
    .describe('Whether that is the base URL of hearth-seal, because the gateway takes only sealed requests'),
  gatewayUrl: z.string().openapi({ description: 'The URL for devices', example: 'https://hearth.example' }),
  installCommand: z
    .string()
    .describe('The command that adds a machine as a device once someone approves the code it shows'),
  isLocalOnly: z.boolean().describe('Whether these URLs work only on the machine that the gateway runs on'),
  devices: z.object({ total: count, linked: count }),
  models: z.object({ enabled: count, served: count, offered: count }),
  keys: z.object({ active: count.describe('How many active keys you can see') }),
  members: count,
  load: z.object({ running: count, queued: count, slots: count }),
  missing: z
    .array(z.enum(['device', 'model', 'key']))
    .describe('What you still have to add before a request can be answered, in this order'),
})

export const readOverview = route('get', '/organizations/{organization}/overview', {
  access: 'organization.read',
  summary: 'Get an overview of the organization and of what is missing',
  responses: json('The overview', overview),
})

export const changeKinds = ['devices', 'models', 'keys', 'members', 'usage', 'organization'] as const

export const followEvents = route('get', '/organizations/{organization}/events', {
  access: 'events.read',
  summary: 'Follow changes as server-sent events',
  responses: {
    200: {
      description: `Read everything after the stream opens. The data of each event is one of ${changeKinds.join(', ')}: read that again`,
      content: { 'text/event-stream': { schema: z.string() } },
    },
  },
})
