import type { Command } from 'commander'
import { readOrganizationQuota } from '../config.ts'
import { createInvitationToken } from '../access/secrets/secrets.ts'
import { createSetUpLink } from '../access/secrets/set-up-link.ts'
import type { Role } from '../store/tables/people.ts'
import { InputError } from './input-error.ts'
import { describeLink, withGateway } from './links.ts'
import { lifetime, readEmail, readRole } from './read-arguments.ts'
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
  return group('invitation', 'create links that let people join', commands)
}

export function setUpCommand(terminal: Terminal): Command {
  return group('set-up', 'let the first person sign in', [setUpLink(terminal)])
}

function create(terminal: Terminal): Command {
  const command = leaf('create', 'create a link that lets one person join, once', [
    'invitation create',
    'invitation create --role admin --email bo@acme.test --gateway https://hearth.acme.test',
  ])
  return withGateway(ofOrganization(command), terminal)
    .option('--role <role>', 'role of the new member: owner, admin or member', readRole, 'member')
    .option('--email <email>', 'accept the link only with this email address', readEmail)
    .addOption(lifetime('how long the link works', WEEK_MS, '7d'))
    .action(({ email, role, expiresIn, gateway, ...options }: CreateOptions) =>
      withOrganization(terminal, options, async (store, { id: organization, name }) => {
        const { key: token, digest } = createInvitationToken()
        const expiresAt = new Date(Date.now() + expiresIn)
        const { invitations: most } = readOrganizationQuota(terminal.environment)
        const invitation = { organization, role, digest, expiresAt, most, ...(email && { email }) }
        const value = await store.createInvitation(invitation)
        const link = `${gateway}/invitation#${token}`
        const text = describeLink(
          link,
          `${email ?? 'the person you invite'}. It makes them ${role} of ${name}`,
          expiresAt,
        )
        return { value: { ...value, link }, text }
      }),
    )
}

function list(terminal: Terminal): Command {
  const command = leaf('list', 'list unused invitations', ['invitation list'])
  return ofOrganization(command).action((options: CommonOptions) =>
    withOrganization(terminal, options, async (store, { id: organization }) => {
      const value = await store.listInvitations({ organization, at: new Date() })
      const text = table(value, {
        ROLE: (invitation) => invitation.role,
        FOR: (invitation) => invitation.email,
        'CREATED BY': (invitation) => invitation.invitedByName,
        EXPIRES: (invitation) => invitation.expiresAt,
        ID: (invitation) => invitation.id,
      })
      return { value, text }
    }),
  )
}

function revoke(terminal: Terminal): Command {
  const command = leaf('revoke', 'revoke an unused invitation', ['invitation revoke 0197…'])
  return ofOrganization(command)
    .argument('<id>', 'id of the invitation, from "invitation list"')
    .action((id: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, { id: organization, name }) => {
        if (!(await store.revokeInvitation({ organization, invitation: id })))
          throw new InputError(`${name} has no unused invitation "${id}". See: invitation list`)
        return { value: { id }, text: 'The invitation was revoked.' }
      }),
    )
}

function setUpLink(terminal: Terminal): Command {
  const command = leaf('link', 'print a link that lets the first person sign in and create an organization', [
    'set-up link',
  ])
  return withGateway(command, terminal).action(({ gateway, ...options }: CommonOptions & { gateway: string }) =>
    withStore(
      terminal,
      options,
      async (store) => {
        const link = await createSetUpLink(store, gateway)
        if (!link) throw new InputError('Someone can already sign in. To invite more people, use: invitation create')
        return {
          value: { link },
          text: `Open this link to become the first owner:\n\n  ${link}\n\nIt works once, within 24 hours.`,
        }
      },
      true,
    ),
  )
}
