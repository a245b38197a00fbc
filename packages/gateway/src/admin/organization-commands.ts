import { Option } from 'commander'
import { dumpOrganization } from '../access/export-data.ts'
import { DELETION_GRACE_MS } from '../store/people/delete-organization.ts'
import { findOrganization } from './find.ts'
import { InputError } from './input-error.ts'
import { readEmail, readName } from './read-arguments.ts'
import { CONFIRMATION, confirmed, formatCell, listing } from './terminal.ts'
import { storeCommand, type AdminCommand } from './with-store.ts'
import { EXPORT_FILE, writeExport } from './write-export.ts'

const WHICH_ORGANIZATION = ['<name>', 'name or id of the organization'] as const

export const ORGANIZATION: AdminCommand = {
  name: 'organization',
  summary: 'create, list, export, delete and restore organizations',
  commands: [
    storeCommand({
      name: 'create',
      summary: 'create an organization and its owner',
      examples: [
        'organization create "Acme" --owner ann@acme.test',
        'organization create "Acme" --owner ann@acme.test --owner-name "Ann Lee"',
      ],
      arguments: [['<name>', 'name of the organization', readName]],
      options: [
        new Option('--owner <email>', 'email address of the owner').argParser(readEmail).makeOptionMandatory(),
        ['--owner-name <name>', 'name of the owner (default: the email address)', readName],
      ],
      mayCreate: true,
      async run({ store }, { owner, ownerName }: { owner: string; ownerName?: string }, name: string) {
        const created = await store.createOrganization({ name, owner: { email: owner, name: ownerName ?? owner } })
        const text = `Created organization ${name} (${created.id}), owned by ${owner}.\n\nNext, create an API key:\n  hearth admin key create <name>`
        return { text, value: { ...created, owner } }
      },
    }),
    storeCommand({
      name: 'list',
      summary: 'list all organizations',
      examples: ['organization list', 'organization list --json'],
      run: async ({ store }) =>
        listing(await store.listOrganizations(), {
          NAME: 'name',
          ID: 'id',
          CREATED: 'createdAt',
          DELETED: (row) => row.deletesAt ?? undefined,
        }),
    }),
    storeCommand({
      name: 'export',
      summary: 'write everything that is kept about an organization to a file',
      examples: ['organization export Acme acme.json'],
      arguments: [WHICH_ORGANIZATION, EXPORT_FILE],
      async run({ store }, _: object, name: string, file: string) {
        const organization = await findOrganization(store, name)
        const path = await writeExport(file, dumpOrganization(store, organization))
        return { text: `Wrote everything that is kept about ${organization.name} to ${path}.`, value: { file: path } }
      },
    }),
    storeCommand({
      name: 'delete',
      summary: 'stop all access to an organization now, and delete it in seven days',
      examples: ['organization delete Acme', 'organization delete Acme --yes'],
      arguments: [WHICH_ORGANIZATION],
      options: [CONFIRMATION],
      async run({ store, world }, { yes = false }: { yes?: boolean }, name: string) {
        const { id: organization, name: known, deletesAt: before } = await findOrganization(store, name)
        await confirmed(world, yes, `organization ${known} with everything it has`, known)
        const deletesAt = before ?? new Date(Date.now() + DELETION_GRACE_MS)
        await store.deleteOrganization({ organization, deletesAt })
        const text = `${known} has no access any more and will be deleted on ${formatCell(deletesAt)}.\n\nUntil then, you can restore it:\n  hearth admin organization restore ${organization}`
        return { text, value: { organization, deletesAt } }
      },
    }),
    storeCommand({
      name: 'restore',
      summary: 'keep an organization that is being deleted',
      examples: ['organization restore Acme'],
      arguments: [WHICH_ORGANIZATION],
      async run({ store }, _: object, name: string) {
        const { id: organization, name: known } = await findOrganization(store, name)
        if (!(await store.restoreOrganization({ organization })))
          throw new InputError(`${known} cannot be restored: its data is being deleted`)
        return { text: `${known} works as before.`, value: { organization } }
      },
    }),
  ],
}
