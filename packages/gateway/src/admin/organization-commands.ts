import type { Command } from 'commander'
import { DELETION_GRACE_MS } from '../store/people/delete-organization.ts'
import { confirmed, withConfirmation, type Confirmed } from './confirm.ts'
import { findOrganization } from './find.ts'
import { InputError } from './input-error.ts'
import { readEmail, readName } from './read-arguments.ts'
import { show, table, type Terminal } from './terminal.ts'
import { group, leaf, withStore, type CommonOptions } from './with-store.ts'

interface CreateOptions extends CommonOptions {
  owner: string
  ownerName?: string
}

export function organizationCommand(terminal: Terminal): Command {
  return group('organization', 'create, list, delete and restore organizations', [
    create(terminal),
    list(terminal),
    remove(terminal),
    restore(terminal),
  ])
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
          const text = `Created organization ${name} (${created.id}), owned by ${owner}.\n\nNext, create an API key:\n  hearth admin key create <name>`
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
          text: table(value, {
            NAME: (row) => row.name,
            ID: (row) => row.id,
            CREATED: (row) => row.createdAt,
            DELETED: (row) => row.deletesAt ?? undefined,
          }),
        }
      }),
  )
}

function remove(terminal: Terminal): Command {
  const command = leaf('delete', 'stop all access to an organization now, and delete it in seven days', [
    'organization delete Acme',
    'organization delete Acme --yes',
  ])
  return withConfirmation(command)
    .argument('<name>', 'name or id of the organization')
    .action((name: string, { yes, ...options }: CommonOptions & Confirmed) =>
      withStore(terminal, options, async (store) => {
        const { id: organization, name: known, deletesAt: before } = await findOrganization(store, name)
        await confirmed(terminal, { yes, what: `organization ${known} with everything it has`, typed: known })
        const deletesAt = before ?? new Date(Date.now() + DELETION_GRACE_MS)
        await store.deleteOrganization({ organization, deletesAt })
        const text = `${known} has no access any more and will be deleted on ${show(deletesAt)}.\n\nUntil then, you can restore it:\n  hearth admin organization restore ${organization}`
        return { text, value: { organization, deletesAt } }
      }),
    )
}

function restore(terminal: Terminal): Command {
  return leaf('restore', 'keep an organization that is being deleted', ['organization restore Acme'])
    .argument('<name>', 'name or id of the organization')
    .action((name: string, options: CommonOptions) =>
      withStore(terminal, options, async (store) => {
        const { id: organization, name: known } = await findOrganization(store, name)
        if (!(await store.restoreOrganization({ organization })))
          throw new InputError(`${known} cannot be restored: its data is being deleted`)
        return { text: `${known} works as before.`, value: { organization } }
      }),
    )
}
