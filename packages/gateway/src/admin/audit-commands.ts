import type { Command } from 'commander'
import type { AuditEntry } from '../store/audit.ts'
import { readCount } from './read-arguments.ts'
import { table, type Terminal } from './terminal.ts'
import { group, leaf, ofOrganization, withOrganization, type CommonOptions } from './with-store.ts'

const PAGE = 50

export function auditCommand(terminal: Terminal): Command {
  return group('audit', 'show who changed what', [list(terminal)])
}

function list(terminal: Terminal): Command {
  const command = leaf('list', 'list changes, newest first', ['audit list', 'audit list --limit 500 --json'])
  return ofOrganization(command)
    .option('--limit <count>', 'how many entries to show', readCount, PAGE)
    .action(({ limit, ...options }: CommonOptions & { limit: number }) =>
      withOrganization(terminal, options, async (store, { id: organization }) => {
        const value = await store.listAudit({ organization, limit })
        const text = table(value, {
          WHEN: ({ at }) => at,
          WHO: ({ actor }) => actor.name,
          WHAT: ({ action, isRefused }) => (isRefused ? `${action} (denied)` : action),
          TARGET: ({ object }) => object.name || object.id,
          CHANGE: describeChange,
        })
        return { value, text }
      }),
    )
}

function describeChange({ before, after }: AuditEntry): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.map((name) => `${name}: ${format(before?.[name])} → ${format(after?.[name])}`).join(', ')
}

function format(value: unknown): string {
  return value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value)
}
