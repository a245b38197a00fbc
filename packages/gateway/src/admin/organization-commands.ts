import type { Command } from 'commander'
import { readEmail, readName } from './read-arguments.ts'
import { table, type Terminal } from './terminal.ts'
import { group, leaf, withStore, type CommonOptions } from './with-store.ts'

interface CreateOptions extends CommonOptions {
  owner: string
  ownerName?: string
}

export function organizationCommand(terminal: Terminal): Command {
  return group('organization', 'create and list organizations', [create(terminal), list(terminal)])
}

function create(terminal: Terminal): Command {
  return leaf('create', 'create an organization and its owner', [
    'organization create "Acme" --owner ann@acme.test',
    'organization create "Acme" --owner ann@acme.test --owner-name "Ann Lee"',
  ])
    .argument('<name>', 'name of the organization', readName)
    .requiredOption('--owner <email>', 'email address of the owner', readEmail)
    .option('--owner-name <name>', 'name of the owner (default: the email address)', readName)
    .action((name: string, { owner, ownerName, ...options }: CreateOptions) =>
      withStore(
        terminal,
        options,
        async (store) => {
          const created = await store.createOrganization({ name, owner: { email: owner, name: ownerName ?? owner } })
          const text = `Created organization ${name} (${created.id}), owned by ${owner}.\n\nNext, create an API key:\n  npx hearth admin key create <name>`
          return { text, value: { ...created, owner } }
        },
        true,
      ),
    )
}

function list(terminal: Terminal): Command {
  return leaf('list', 'list all organizations', ['organization list', 'organization list --json']).action(
    (options: CommonOptions) =>
      withStore(terminal, options, async (store) => {
        const value = await store.listOrganizations()
        return {
          value,
          text: table(value, { NAME: (row) => row.name, ID: (row) => row.id, CREATED: (row) => row.createdAt }),
        }
      }),
  )
}
