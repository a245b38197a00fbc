import type { Command } from 'commander'
import type { Role } from '../store/store.ts'
import { findMember } from './find.ts'
import { readEmail, readName, readRole } from './read-words.ts'
import { table, type Terminal } from './terminal.ts'
import { group, leaf, ofOrganization, withOrganization, type CommonOptions } from './with-store.ts'

interface AddOptions extends CommonOptions {
  name?: string
  role: Role
}

export function memberCommand(terminal: Terminal): Command {
  return group('member', 'add, remove and list members', [add(terminal), remove(terminal), list(terminal)])
}

function add(terminal: Terminal): Command {
  const command = leaf('add', 'add a member; one who is there already gets the role', [
    'member add bo@acme.test',
    'member add bo@acme.test --name "Bo Ek" --role admin',
  ])
  return ofOrganization(command)
    .argument('<email>', 'how the person is known', readEmail)
    .option('--name <name>', 'name of the person (default: the address)', readName)
    .option('--role <role>', 'owner, admin or member', readRole, 'member')
    .action((email: string, { name, role, ...options }: AddOptions) =>
      withOrganization(terminal, options, async (store, { id, name: place }) => {
        const value = await store.addMember({ organization: id, email, name: name ?? email, role })
        return { value, text: `${email} is ${role} of ${place}` }
      }),
    )
}

function remove(terminal: Terminal): Command {
  const command = leaf('remove', 'remove a member; the keys this member made stop working', [
    'member remove bo@acme.test',
  ])
  return ofOrganization(command)
    .argument('<email>', 'address or id of the member')
    .action((email: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const member = await findMember(store, organization, email)
        await store.removeMember({ organization: organization.id, person: member.person })
        const text = `${member.email} is no longer a member of ${organization.name}. Keys this member made no longer work`
        return { value: member, text }
      }),
    )
}

function list(terminal: Terminal): Command {
  return ofOrganization(leaf('list', 'all members', ['member list --organization Acme'])).action(
    (options: CommonOptions) =>
      withOrganization(terminal, options, async (store, { id }) => {
        const value = await store.listMembers(id)
        const text = table(value, {
          EMAIL: (member) => member.email,
          NAME: (member) => member.name,
          ROLE: (member) => member.role,
          ID: (member) => member.person,
        })
        return { value, text }
      }),
  )
}
