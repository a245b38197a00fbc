// Organizations, and the page a person sees first: what is there, what is missing.

import { z } from '@hono/zod-openapi'
import { body, describeRoute, done, json } from './route.ts'
import { count, id, moment, name, organizationPath, role } from './shapes.ts'

const tags = ['Organization']

export const organization = z.object({ id, name: z.string(), createdAt: moment, role }).openapi('Organization')

export const createOrganization = describeRoute({
  access: 'signed-in',
  method: 'post',
  path: '/organizations',
  tags,
  operationId: 'createOrganization',
  summary: 'Make an organization and become its owner, where the gateway allows it',
  request: body(z.strictObject({ name })),
  responses: json('The organization', organization),
})

export const readOrganization = describeRoute({
  access: 'organization.read',
  method: 'get',
  path: '/organizations/{organization}',
  tags,
  operationId: 'readOrganization',
  summary: 'The organization, and the own role in it',
  request: { params: organizationPath },
  responses: json('The organization', organization),
})

export const changeOrganization = describeRoute({
  access: 'organization.change',
  method: 'patch',
  path: '/organizations/{organization}',
  tags,
  operationId: 'changeOrganization',
  summary: 'Rename the organization',
  request: { params: organizationPath, ...body(z.strictObject({ name })) },
  responses: done,
})

export const overview = z
  .object({
    baseUrl: z
      .string()
      .openapi({ description: 'What API clients are given', example: 'https://hearth.example/openai/v1' }),
    gatewayUrl: z.string().openapi({ description: 'What devices are given', example: 'https://hearth.example' }),
    installCommand: z
      .string()
      .openapi({ description: 'The command that adds a machine as a device once someone approves the code it shows' }),
    devices: z.object({ total: count, linked: count }),
    models: z.object({ enabled: count, served: count, offered: count }),
    keys: z.object({ active: count.openapi({ description: 'Keys the person may see' }) }),
    members: count,
    load: z.object({ running: count, queued: count, slots: count }),
    missing: z
      .array(z.enum(['device', 'model', 'key']))
      .openapi({ description: 'What is needed before a request can be answered, in the order to do it' }),
  })
  .openapi('Overview')

export const readOverview = describeRoute({
  access: 'organization.read',
  method: 'get',
  path: '/organizations/{organization}/overview',
  tags,
  operationId: 'readOverview',
  summary: 'What is there, and what is missing',
  request: { params: organizationPath },
  responses: json('The overview', overview),
})

export const changeKinds = ['devices', 'models', 'keys', 'members', 'usage', 'organization'] as const

export const followEvents = describeRoute({
  access: 'events.read',
  method: 'get',
  path: '/organizations/{organization}/events',
  tags,
  operationId: 'followEvents',
  summary: 'Hear what has changed, as server-sent events',
  request: { params: organizationPath },
  responses: {
    200: {
      description: `Read everything once the stream has opened. Each event's data is then one of ${changeKinds.join(', ')}: read again what it names`,
      content: { 'text/event-stream': { schema: z.string() } },
    },
  },
})
