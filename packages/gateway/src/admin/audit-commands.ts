import type { AuditEntry } from '../store/audit.ts'
import { readCount } from './read-arguments.ts'
import { table } from './terminal.ts'
import { ofOrganization, type AdminCommand } from './with-store.ts'

const PAGE = 50

export const AUDIT: AdminCommand = {
  name: 'audit',
  summary: 'show who changed what',
  commands: [
    ofOrganization({
      name: 'list',
      summary: 'list changes, newest first',
      examples: ['audit list', 'audit list --limit 500 --json'],
      options: [['--limit <count>', 'how many entries to show', readCount, PAGE]],
      async run({ store, organization }, { limit }: { limit: number }) {
        const value = await store.listAudit({ organization: organization.id, limit })
        const text = table(value, {
          WHEN: ({ at }) => at,
          WHO: ({ actor }) => actor.name,
          WHAT: ({ action, isRefused }) => (isRefused ? `${action} (denied)` : action),
          TARGET: ({ object }) => object.name || object.id,
          CHANGE: describeChange,
        })
        return { value, text }
      },
    }),
  ],
}

function describeChange({ before, after }: AuditEntry): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.map((name) => `${name}: ${format(before?.[name])} → ${format(after?.[name])}`).join(', ')
}

function format(value: unknown): string {
  return value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value)
}
