// The OpenAPI description of the console API, generated from the routes that validate its requests. `npm run docs` writes it to
// openapi.json.

import { OpenAPIHono } from '@hono/zod-openapi'
import * as account from './account.ts'
import * as audit from './audit.ts'
import * as devices from './devices.ts'
import * as enrolments from './enrolments.ts'
import * as exports from './export.ts'
import * as keys from './keys.ts'
import * as members from './members.ts'
import * as modelDownloads from './model-downloads.ts'
import * as models from './models.ts'
import * as organization from './organization.ts'
import * as playground from './playground.ts'
import * as requests from './requests.ts'
import { ACCESS_FIELD, type DescribedRoute } from './route.ts'
import * as sealing from './sealing.ts'
import * as usage from './usage.ts'

export const CONSOLE_PREFIX = '/api/v1'

const TOPICS = [
  account,
  organization,
  exports,
  sealing,
  models,
  modelDownloads,
  devices,
  enrolments,
  keys,
  playground,
  members,
  usage,
  requests,
  audit,
]

/** Each operation has the name that its route is exported under. */
export const ROUTES = TOPICS.flatMap((topic) =>
  Object.entries<unknown>(topic)
    .flatMap(([operationId, route]) => (isRoute(route) ? { ...route, operationId } : []))
    .toSorted(byPath),
)

export function describeConsoleApi() {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono()
  for (const route of ROUTES) openAPIRegistry.registerPath(route)
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
function byPath(one: DescribedRoute, other: DescribedRoute): number {
  return `${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1
}

function isRoute(value: unknown): value is DescribedRoute {
  return typeof value === 'object' && value !== null && ACCESS_FIELD in value
}
