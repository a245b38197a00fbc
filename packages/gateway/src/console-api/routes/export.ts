// Everything that is kept about an organization or a person, to take away.

import { z } from '@hono/zod-openapi'
import { json, routesOf } from './route.ts'

const route = routesOf('Export')

const everything = json(
  'One JSON document, as a download. It has no secrets, and no prompts or completions, because none are kept',
  z.record(z.string(), z.unknown()),
)

export const exportOrganization = route('get', '/organizations/{organization}/export', {
  access: 'organization.export',
  summary: 'Download everything that is kept about the organization',
  responses: everything,
})

export const exportMe = route('get', '/me/export', {
  access: 'signed-in',
  summary: 'Download everything that is kept about you',
  responses: everything,
})
