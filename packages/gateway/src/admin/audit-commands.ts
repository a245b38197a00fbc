import type { AuditEntry } from '../store/audit.ts'
import { readCount } from './read-arguments.ts'
import { listing } from './terminal.ts'
import { organizationCommand, type AdminCommand } from './with-store.ts'

const PAGE = 50

export const AUDIT: AdminCommand = {
  name: 'audit',
  summary: 'show who changed what',
  commands: [
    organizationCommand({
      name: 'list',
      summary: 'list changes, newest first',
      examples: ['audit list', 'audit list --limit 500 --json'],
      options: [['--limit <count>', 'how many entries to show', readCount, PAGE]],
      run: async ({ store, organization }, { limit }: { limit: number }) =>
        listing(await store.listAudit({ organization: organization.id, limit }), {
          WHEN: 'at',
          WHO: ({ actor }) => actor.name,
          WHAT: ({ action, isRefused }) => (isRefused ? `${action} (denied)` : action),
          TARGET: ({ object }) => object.name || object.id,
          CHANGE: describeChange,
        }),
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
