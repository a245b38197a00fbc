import { InputError } from './input-error.ts'
import { readEmail } from './read-arguments.ts'
import { CONFIRMATION, confirmed } from './terminal.ts'
import { ofStore, type AdminCommand } from './with-store.ts'

export const ACCOUNT: AdminCommand = {
  name: 'account',
  summary: 'delete accounts',
  commands: [
    ofStore({
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
