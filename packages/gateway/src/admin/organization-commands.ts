import type { Command } from 'commander'
import { readEmail, readName } from './read-words.ts'
import { table, type Terminal } from './terminal.ts'
import { group, leaf, withStore, type CommonOptions } from './with-store.ts'

interface CreateOptions extends CommonOptions {
  owner: string
  ownerName?: string
}

export function organizationCommand(terminal: Terminal): Command {
  return group('organization', 'make and list organizations', [create(terminal), list(terminal)])
}

function create(terminal: Terminal): Command {
  return leaf('create', 'make an organization and its owner', [
    'organization create "Acme" --owner ann@acme.test',
    'organization create "Acme" --owner ann@acme.test --owner-name "Ann Lee"',
  ])
    .argument('<name>', 'what people call it', readName)
    .requiredOption('--owner <email>', 'who owns it; keys are made in the name of a member', readEmail)
    .option('--owner-name <name>', 'name of the owner (default: the address)', readName)
    .action((name: string, { owner, ownerName, ...options }: CreateOptions) =>
      withStore(terminal, options, async (store) => {
        const created = await store.createOrganization({ name, owner: { email: owner, name: ownerName ?? owner } })
        const text = `Organization ${name} (${created.id}) made, owned by ${owner}.\nNext: npm run admin -- key create <name>`
        return { text, value: { ...created, owner } }
      }),
    )
}

function list(terminal: Terminal): Command {
  return leaf('list', 'all organizations', ['organization list', 'organization list --json']).action(
    (options: CommonOptions) =>
      withStore(terminal, options, async (store) => {
        const value = await store.listOrganizations()
        return {
          value,
          text: table(value, { NAME: (row) => row.name, ID: (row) => row.id, SINCE: (row) => row.createdAt }),
        }
      }),
  )
}
