import { organizationOf, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/audit.ts'
import type { AuditEntry } from '../../store/audit.ts'

export function addAudit(app: ConsoleApp, { store }: ConsoleParts): void {
  app.openapi(routes.listAudit, async (context) => {
    const { before, limit } = context.req.valid('query')
    const entries = await store.listAudit({
      organization: organizationOf(context),
      limit,
      ...(before !== undefined && { before: Number(before) }),
    })
    const last = entries.at(-1)
    const next = last && entries.length === limit ? String(last.id) : null
    return context.json({ entries: entries.map(showEntry), next }, 200)
  })
}

function showEntry({ id, at, actor, action, isRefused, object, before, after }: AuditEntry) {
  return {
    id: String(id),
    at: at.toISOString(),
    actor: { kind: actor.kind, id: actor.id ?? null, name: actor.name },
    action,
    isRefused,
    object,
    before: before ?? null,
    after: after ?? null,
    address: actor.address ?? null,
  }
}
