// Who changed what, and when. Never contains content or secrets.

import { z } from '@hono/zod-openapi'
import { routesOf, json } from '../routes/route.ts'
import { dateTime, object } from '../routes/shapes.ts'

const route = routesOf('Audit')

export const MAX_PAGE = 200

const entry = object('AuditEntry', {
  id: z.string(),
  at: dateTime,
  actor: z.object({
    kind: z.enum(['person', 'operator', 'device']).describe('operator means the command line of the gateway'),
    id: z.string().nullable(),
    name: z.string(),
  }),
  action: z.string().openapi({ example: 'key.revoke' }),
  isRefused: z.boolean().describe('True if the request was denied'),
  object: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  address: z.string().nullable(),
})

export const listAudit = route('get', '/organizations/{organization}/audit', {
  access: 'audit.read',
  summary: 'List changes, newest first',
  request: {
    query: z.object({
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional()
        .describe('Only entries older than this id'),
      limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(50),
    }),
  },
  responses: json(
    'A page of entries. Pass next as before to get the following page; it is null on the last page',
    z.object({ entries: z.array(entry), next: z.string().nullable() }),
  ),
  async handle({ store }, _context, { organization, before, limit }) {
    const rows = await store.listAudit({
      organization,
      limit,
      before: before === undefined ? undefined : Number(before),
    })
    const entries = rows.map((row) => ({ ...row, id: String(row.id), address: row.actor.address }))
    return { entries, next: entries.length === limit ? entries.at(-1)?.id : null }
  },
})
