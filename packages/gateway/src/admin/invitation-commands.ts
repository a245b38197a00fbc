import type { Command } from 'commander'
import { createInvitationToken } from '../access/keys.ts'
import { createSetUpLink } from '../access/set-up-link.ts'
import type { Role } from '../store/store.ts'
import { InputError } from './input-error.ts'
import { describeLink, withGateway } from './links.ts'
import { readDuration, readEmail, readRole } from './read-words.ts'
import { table, type Terminal } from './terminal.ts'
import { group, leaf, ofOrganization, withOrganization, withStore, type CommonOptions } from './with-store.ts'

interface CreateOptions extends CommonOptions {
  email?: string
  role: Role
  expiresIn: number
  gateway: string
}

const WEEK_MS = 7 * 86_400_000

export function invitationCommand(terminal: Terminal): Command {
  const commands = [create(terminal), list(terminal), revoke(terminal)]
  return group('invitation', 'let people join by a link', commands)
}

export function setUpCommand(terminal: Terminal): Command {
  return group('set-up', 'let the first person in', [setUpLink(terminal)])
}

function create(terminal: Terminal): Command {
  const command = leaf('create', 'make a link with which one person can join, once', [
    'invitation create',
    'invitation create --role admin --email bo@acme.test --gateway https://hearth.acme.test',
  ])
  return withGateway(ofOrganization(command), terminal)
    .option('--role <role>', 'owner, admin or member', readRole, 'member')
    .option('--email <email>', 'only for the person with this address', readEmail)
    .option('--expires-in <duration>', 'how long the link works (default: 7d)', readDuration, WEEK_MS)
    .action(({ email, role, expiresIn, gateway, ...options }: CreateOptions) =>
      withOrganization(terminal, options, async (store, { id: organization, name }) => {
        const { key: token, digest } = createInvitationToken()
        const expiresAt = new Date(Date.now() + expiresIn)
        const invitation = { organization, role, digest, expiresAt, ...(email && { email }) }
        const value = await store.createInvitation(invitation)
        const link = `${gateway}/invitation#${token}`
        const text = describeLink(link, `${email ?? 'a person'} who is to be ${role} of ${name}`, expiresAt)
        return { value: { ...value, link }, text }
      }),
    )
}

function list(terminal: Terminal): Command {
  const command = leaf('list', 'invitations that can still be used', ['invitation list'])
  return ofOrganization(command).action((options: CommonOptions) =>
    withOrganization(terminal, options, async (store, { id: organization }) => {
      const value = await store.listInvitations({ organization, at: new Date() })
      const text = table(value, {
        ROLE: (invitation) => invitation.role,
        FOR: (invitation) => invitation.email,
        BY: (invitation) => invitation.invitedByName,
        ENDS: (invitation) => invitation.expiresAt,
        ID: (invitation) => invitation.id,
      })
      return { value, text }
    }),
  )
}

function revoke(terminal: Terminal): Command {
  const command = leaf('revoke', 'make an invitation useless', ['invitation revoke 0197…'])
  return ofOrganization(command)
    .argument('<id>', 'its id, as listed')
    .action((id: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, { id: organization, name }) => {
        if (!(await store.revokeInvitation({ organization, invitation: id })))
          throw new InputError(`${name} has no open invitation "${id}". See: invitation list`)
        return { value: { id }, text: 'The invitation no longer works' }
      }),
    )
}

function setUpLink(terminal: Terminal): Command {
  const command = leaf('link', 'a link with which the first person becomes an owner', ['set-up link'])
  return withGateway(command, terminal).action(({ gateway, ...options }: CommonOptions & { gateway: string }) =>
    withStore(terminal, options, async (store) => {
      const link = await createSetUpLink(store, gateway)
      if (!link) throw new InputError('Somebody can sign in already. More people come in by: invitation create')
      return {
        value: { link },
        text: `Open this link to become the first owner:\n\n  ${link}\n\nIt works once, for a day.`,
      }
    }),
  )
}
