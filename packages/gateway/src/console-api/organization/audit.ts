import { organizationOf, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/audit.ts'
import { show } from '../routes/show.ts'
import type { AuditEntry } from '../../store/audit.ts'

export function addAudit(app: ConsoleApp, { store }: ConsoleParts): void {
  app.openapi(routes.listAudit, async (context) => {
    const { before, limit } = context.req.valid('query')
    const entries = await store.listAudit({
      organization: organizationOf(context),
      limit,
      before: before === undefined ? undefined : Number(before),
    })
    const last = entries.at(-1)
    const next = last && entries.length === limit ? String(last.id) : null
    return context.json({ entries: entries.map(showEntry), next }, 200)
  })
}

function showEntry(entry: AuditEntry) {
  return show(routes.entry, { ...entry, id: String(entry.id), address: entry.actor.address })
}
