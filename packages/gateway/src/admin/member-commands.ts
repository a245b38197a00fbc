import { createInvitationToken } from '../access/secrets/secrets.ts'
import type { Role } from '../store/tables/people.ts'
import { findMember } from './find.ts'
import { InputError } from './input-error.ts'
import { describeLink, GATEWAY, gatewayUrlOf } from './links.ts'
import { commandsAbout } from './verbs/command-about.ts'
import { listCommand } from './verbs/list-command.ts'
import { readEmail, readName, readRole } from './read-arguments.ts'
import { organizationCommand, type AdminCommand, type CommonOptions } from './with-store.ts'

interface LetInOptions extends CommonOptions {
  reset?: boolean
  gateway?: string
}

const DAY_MS = 86_400_000
const memberCommand = commandsAbout(['<email>', 'email address or id of the member'], findMember)

export const MEMBER: AdminCommand = {
  name: 'member',
  summary: 'add, remove and list members, change roles, reset passwords',
  commands: [
    organizationCommand({
      name: 'add',
      summary: 'add a member, or change the role of an existing one',
      examples: ['member add bo@acme.test', 'member add bo@acme.test --name "Bo Ek" --role admin'],
      arguments: [['<email>', 'email address of the person', readEmail]],
      options: [
        ['--name <name>', 'name of the person (default: the email address)', readName],
        ['--role <role>', 'owner, admin or member', readRole, 'member'],
      ],
      async run({ store, organization }, { name, role }: { name?: string; role: Role }, email: string) {
        const value = await store.addMember({ organization: organization.id, email, name: name ?? email, role })
        return { value, text: `${email} is now ${role} of ${organization.name}.` }
      },
    }),
    memberCommand({
      name: 'let-in',
      summary: 'create a link that lets a member set a password',
      examples: ['member let-in ann@acme.test', 'member let-in ann@acme.test --reset'],
      options: [
        GATEWAY,
        ['--reset', 'for members who can already sign in: delete their password, second factor and sessions first'],
      ],
      async run({ store, organization, world }, { person, role, email }, options: LetInOptions) {
        if (options.reset) await store.forgetSignIn({ person })
        else if ((await store.signInWays(person)).hasPassword)
          throw new InputError(`${email} can already sign in. To reset their password, add --reset`)
        const { key: token, digest } = createInvitationToken()
        const expiresAt = new Date(Date.now() + DAY_MS)
        const invitation = { organization: organization.id, role, digest, expiresAt, email, claims: person }
        await store.createInvitation(invitation)
        const link = `${gatewayUrlOf(world, options)}/invitation#${token}`
        return { value: { person, link, expiresAt }, text: describeLink(link, email, expiresAt) }
      },
    }),
    memberCommand({
      name: 'role',
      summary: 'change the role of a member',
      examples: ['member role bo@acme.test admin'],
      arguments: [['<role>', 'owner, admin or member', readRole]],
      async run({ store, organization }, member, _: object, role: Role) {
        await store.changeRole({ organization: organization.id, person: member.person, role })
        return { value: { ...member, role }, text: `${member.email} is now ${role} of ${organization.name}.` }
      },
    }),
    memberCommand({
      name: 'remove',
      summary: 'remove a member; the keys they created stop working',
      examples: ['member remove bo@acme.test'],
      async run({ store, organization }, member) {
        await store.removeMember({ organization: organization.id, person: member.person })
        const text = `${member.email} is no longer a member of ${organization.name}. The keys they created stopped working.`
        return { value: member, text }
      },
    }),
    listCommand(
      'member list --organization Acme',
      'list all members',
      ({ store, organization: { id } }) => store.listMembers(id),
      {
        EMAIL: 'email',
        NAME: 'name',
        ROLE: 'role',
        ID: 'person',
      },
    ),
  ],
}
