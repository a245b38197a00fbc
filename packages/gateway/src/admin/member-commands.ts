import type { Command } from 'commander'
import { createInvitationToken } from '../access/secrets/secrets.ts'
import type { Role } from '../store/tables/people.ts'
import { findMember } from './find.ts'
import { InputError } from './input-error.ts'
import { describeLink, withGateway } from './links.ts'
import { readEmail, readName, readRole } from './read-arguments.ts'
import { table, type Terminal } from './terminal.ts'
import { group, leaf, ofOrganization, withOrganization, type CommonOptions } from './with-store.ts'

interface AddOptions extends CommonOptions {
  name?: string
  role: Role
}

export function memberCommand(terminal: Terminal): Command {
  const commands = [add(terminal), letIn(terminal), changeRole(terminal), remove(terminal), list(terminal)]
  return group('member', 'add, remove and list members, change roles, reset passwords', commands)
}

function add(terminal: Terminal): Command {
  const command = leaf('add', 'add a member, or change the role of an existing one', [
    'member add bo@acme.test',
    'member add bo@acme.test --name "Bo Ek" --role admin',
  ])
  return ofOrganization(command)
    .argument('<email>', 'email address of the person', readEmail)
    .option('--name <name>', 'name of the person (default: the email address)', readName)
    .option('--role <role>', 'owner, admin or member', readRole, 'member')
    .action((email: string, { name, role, ...options }: AddOptions) =>
      withOrganization(terminal, options, async (store, { id, name: place }) => {
        const value = await store.addMember({ organization: id, email, name: name ?? email, role })
        return { value, text: `${email} is now ${role} of ${place}.` }
      }),
    )
}

interface LetInOptions extends CommonOptions {
  reset?: boolean
  gateway: string
}

const DAY_MS = 86_400_000

function letIn(terminal: Terminal): Command {
  const command = leaf('let-in', 'create a link that lets a member set a password', [
    'member let-in ann@acme.test',
    'member let-in ann@acme.test --reset',
  ])
  return withGateway(ofOrganization(command), terminal)
    .argument('<email>', 'email address or id of the member')
    .option('--reset', 'for members who can already sign in: delete their password, second factor and sessions first')
    .action((email: string, { reset, gateway, ...options }: LetInOptions) =>
      withOrganization(terminal, options, async (store, { id: organization, name }) => {
        const { person, role, email: address } = await findMember(store, { id: organization, name }, email)
        if (reset) await store.forgetSignIn({ person })
        else if ((await store.signInWays(person)).hasPassword)
          throw new InputError(`${address} can already sign in. To reset their password, add --reset`)
        const { key: token, digest } = createInvitationToken()
        const expiresAt = new Date(Date.now() + DAY_MS)
        await store.createInvitation({ organization, role, digest, expiresAt, email: address, claims: person })
        const link = `${gateway}/invitation#${token}`
        return { value: { person, link, expiresAt }, text: describeLink(link, address, expiresAt) }
      }),
    )
}

function changeRole(terminal: Terminal): Command {
  const command = leaf('role', 'change the role of a member', ['member role bo@acme.test admin'])
  return ofOrganization(command)
    .argument('<email>', 'email address or id of the member')
    .argument('<role>', 'owner, admin or member', readRole)
    .action((email: string, role: Role, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const member = await findMember(store, organization, email)
        await store.changeRole({ organization: organization.id, person: member.person, role })
        return { value: { ...member, role }, text: `${member.email} is now ${role} of ${organization.name}.` }
      }),
    )
}

function remove(terminal: Terminal): Command {
  const command = leaf('remove', 'remove a member; the keys they created stop working', ['member remove bo@acme.test'])
  return ofOrganization(command)
    .argument('<email>', 'email address or id of the member')
    .action((email: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const member = await findMember(store, organization, email)
        await store.removeMember({ organization: organization.id, person: member.person })
        const text = `${member.email} is no longer a member of ${organization.name}. The keys they created stopped working.`
        return { value: member, text }
      }),
    )
}

function list(terminal: Terminal): Command {
  return ofOrganization(leaf('list', 'list all members', ['member list --organization Acme'])).action(
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
