import type { Command } from 'commander'
import { confirmed, withConfirmation, type Confirmed } from './confirm.ts'
import { InputError } from './input-error.ts'
import { readEmail } from './read-arguments.ts'
import type { Terminal } from './terminal.ts'
import { group, leaf, withStore, type CommonOptions } from './with-store.ts'

export function accountCommand(terminal: Terminal): Command {
  return group('account', 'delete accounts', [remove(terminal)])
}

function remove(terminal: Terminal): Command {
  const command = leaf('delete', 'delete the account of a person, who leaves all organizations', [
    'account delete bo@acme.test',
    'account delete bo@acme.test --yes',
  ])
  return withConfirmation(command)
    .argument('<email>', 'email address of the person', readEmail)
    .action((email: string, { yes, ...options }: CommonOptions & Confirmed) =>
      withStore(terminal, options, async (store) => {
        const person = await store.findPerson(email)
        if (person === undefined) throw new InputError(`Nobody has the address ${email}`)
        await confirmed(terminal, { yes, what: `the account ${email}`, typed: email })
        const deletion = await store.deletePerson({ person, isOwnWish: false })
        if (deletion.kind === 'only-owner')
          throw new InputError(
            `${email} is the only owner of ${deletion.organizations.join(', ')}. Make someone else an owner with: member role <email> owner`,
          )
        return { text: `Deleted the account ${email}. The keys they created stopped working.`, value: { person } }
      }),
    )
}
