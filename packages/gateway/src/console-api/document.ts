// Every route, and the OpenAPI description of the console API, which is generated from them. `npm run docs` writes it to openapi.json.

import { OpenAPIHono } from '@hono/zod-openapi'
import * as account from './account/account.ts'
import * as activity from './account/activity.ts'
import * as secondFactor from './account/second-factor.ts'
import * as sessions from './account/sessions.ts'
import * as signIn from './account/sign-in.ts'
import * as devices from './devices/devices.ts'
import * as enrolments from './devices/enrolments.ts'
import * as keys from './keys/keys.ts'
import * as playground from './keys/playground.ts'
import * as modelDownloads from './models/model-downloads.ts'
import * as models from './models/models.ts'
import * as acceptance from './organization/acceptance.ts'
import * as audit from './organization/audit.ts'
import * as events from './organization/events.ts'
import * as exports from './organization/export.ts'
import * as invitations from './organization/invitations.ts'
import * as members from './organization/members.ts'
import * as organization from './organization/organization.ts'
import * as overview from './organization/overview.ts'
import { ACCESS_FIELD, type ConsoleRoute } from './routes/route.ts'
import * as sealing from './sealing/sealing.ts'
import * as requests from './usage/requests.ts'
import * as usage from './usage/usage.ts'

export const CONSOLE_PREFIX = '/api/v1'

const TOPICS: Record<string, unknown>[] = [
  account,
  activity,
  secondFactor,
  sessions,
  signIn,
  organization,
  overview,
  events,
  exports,
  sealing,
  models,
  modelDownloads,
  devices,
  enrolments,
  keys,
  playground,
  members,
  invitations,
  acceptance,
  usage,
  requests,
  audit,
]

/** Each operation has the name that its route is exported under. */
export const ROUTES = TOPICS.flatMap((topic) => Object.entries(topic))
  .flatMap(([operationId, route]) => (isRoute(route) ? { ...route, operationId } : []))
  .toSorted(byPath)

export function describeConsoleApi() {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono()
  for (const { handle: _, ...route } of ROUTES) openAPIRegistry.registerPath(route)
  return getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Hearth console',
      version: '1',
      description:
        'The API behind the console, for people who are signed in. To get answers from models, use /openai/v1 with an API key instead.',
    },
    servers: [{ url: CONSOLE_PREFIX }],
  })
}

// Module loaders list a file's exports in different orders.
function byPath(one: ConsoleRoute, other: ConsoleRoute): number {
  return `${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1
}

function isRoute(value: unknown): value is ConsoleRoute {
  return typeof value === 'object' && value !== null && ACCESS_FIELD in value
}
