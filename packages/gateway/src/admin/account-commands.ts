import { dumpPerson } from '../access/export-data.ts'
import { InputError } from './input-error.ts'
import { readEmail } from './read-arguments.ts'
import { CONFIRMATION, confirmed } from './terminal.ts'
import { storeCommand, type AdminCommand } from './with-store.ts'
import { EXPORT_FILE, writeExport } from './write-export.ts'

export const ACCOUNT: AdminCommand = {
  name: 'account',
  summary: 'export and delete accounts',
  commands: [
    storeCommand({
      name: 'export',
      summary: 'write everything that is kept about a person to a file',
      examples: ['account export bo@acme.test bo.json'],
      arguments: [['<email>', 'email address of the person', readEmail], EXPORT_FILE],
      async run({ store }, _: object, email: string, file: string) {
        const person = await store.findPerson(email)
        if (person === undefined) throw new InputError(`Nobody has the address ${email}`)
        const path = await writeExport(file, dumpPerson(store, person))
        return { text: `Wrote everything that is kept about ${email} to ${path}.`, value: { file: path } }
      },
    }),
    storeCommand({
      name: 'delete',
      summary: 'delete the account of a person, who leaves all organizations',
      examples: ['account delete bo@acme.test', 'account delete bo@acme.test --yes'],
      arguments: [['<email>', 'email address of the person', readEmail]],
      options: [CONFIRMATION],
      async run({ store, world }, { yes = false }: { yes?: boolean }, email: string) {
        const person = await store.findPerson(email)
        if (person === undefined) throw new InputError(`Nobody has the address ${email}`)
        await confirmed(world, yes, `the account ${email}`, email)
        const deletion = await store.deletePerson({ person, isOwnWish: false })
        if (deletion.kind === 'only-owner')
          throw new InputError(
            `${email} is the only owner of ${deletion.organizations.join(', ')}. Make someone else an owner with: member role <email> owner`,
          )
        return { text: `Deleted the account ${email}. The keys they created stopped working.`, value: { person } }
      },
    }),
  ],
}
