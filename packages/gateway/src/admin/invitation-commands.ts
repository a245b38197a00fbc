import { readOrganizationQuota } from '../config.ts'
import { createInvitationToken } from '../access/secrets/secrets.ts'
import { createSetUpLink } from '../access/secrets/set-up-link.ts'
import type { Role } from '../store/tables/people.ts'
import { InputError } from './input-error.ts'
import { describeLink, GATEWAY, gatewayUrlOf } from './links.ts'
import { listCommand } from './verbs/list-command.ts'
import { lifetime, readEmail, readRole } from './read-arguments.ts'
import { revokeCommand } from './verbs/revoke-command.ts'
import { organizationCommand, storeCommand, type AdminCommand, type CommonOptions } from './with-store.ts'

interface CreateOptions extends CommonOptions {
  email?: string
  role: Role
  expiresIn: number
  gateway?: string
}

const WEEK_MS = 7 * 86_400_000

export const INVITATION: AdminCommand = {
  name: 'invitation',
  summary: 'create links that let people join',
  commands: [
    organizationCommand({
      name: 'create',
      summary: 'create a link that lets one person join, once',
      examples: [
        'invitation create',
        'invitation create --role admin --email bo@acme.test --gateway https://hearth.acme.test',
      ],
      options: [
        GATEWAY,
        ['--role <role>', 'role of the new member: owner, admin or member', readRole, 'member'],
        ['--email <email>', 'accept the link only with this email address', readEmail],
        lifetime('how long the link works', WEEK_MS, '7d'),
      ],
      async run({ store, organization: { id: organization, name }, world }, options: CreateOptions) {
        const { email, role } = options
        const { key: token, digest } = createInvitationToken()
        const expiresAt = new Date(Date.now() + options.expiresIn)
        const { invitations: most } = readOrganizationQuota(world.environment)
        const invitation = { organization, role, digest, expiresAt, most, ...(email && { email }) }
        const link = `${gatewayUrlOf(world, options)}/invitation#${token}`
        const value = await store.createInvitation(invitation)
        const recipient = `${email ?? 'the person you invite'}. It makes them ${role} of ${name}`
        return { value: { ...value, link }, text: describeLink(link, recipient, expiresAt) }
      },
    }),
    listCommand(
      'invitation list',
      'list unused invitations',
      ({ store, organization: { id } }) => store.listInvitations({ organization: id, at: new Date() }),
      { ROLE: 'role', FOR: 'email', 'CREATED BY': 'invitedByName', EXPIRES: 'expiresAt', ID: 'id' },
    ),
    revokeCommand({
      example: 'invitation revoke 0197…',
      thing: 'invitation',
      revoke: async ({ store, organization: { id: organization } }, invitation) =>
        store.revokeInvitation({ organization, invitation }),
    }),
  ],
}

export const SET_UP: AdminCommand = {
  name: 'set-up',
  summary: 'let the first person sign in',
  commands: [
    storeCommand({
      name: 'link',
      summary: 'print a link that lets the first person sign in and create an organization',
      examples: ['set-up link'],
      options: [GATEWAY],
      mayCreate: true,
      async run({ store, world }, options: CommonOptions & { gateway?: string }) {
        const link = await createSetUpLink(store, gatewayUrlOf(world, options))
        if (!link) throw new InputError('Someone can already sign in. To invite more people, use: invitation create')
        const text = `Open this link to become the first owner:\n\n  ${link}\n\nIt works once, within 24 hours.`
        return { value: { link }, text }
      },
    }),
  ],
}
