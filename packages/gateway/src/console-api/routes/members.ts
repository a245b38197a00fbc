// People of an organization, and invitations. An invitation is a link: whoever opens it may join, once.

import { z } from '@hono/zod-openapi'
import { body, describeRoute, done, json } from './route.ts'
import { email, id, moment, name, organizationPath, password, pathWith, role, secret } from './shapes.ts'

const tags = ['Members']
const memberPath = pathWith('person')

const member = z
  .object({
    person: id,
    name: z.string(),
    email: z.string(),
    role,
    isYou: z.boolean(),
    joinedAt: moment,
    activeKeys: z.int().min(0).openapi({ description: 'Keys that would stop working if the person left' }),
  })
  .openapi('Member')

export const listMembers = describeRoute({
  access: 'members.read',
  method: 'get',
  path: '/organizations/{organization}/members',
  tags,
  operationId: 'listMembers',
  summary: 'Everyone in the organization',
  request: { params: organizationPath },
  responses: json(
    'The members, and which roles the reader may give and take',
    z.object({ members: z.array(member), grantableRoles: z.array(role) }),
  ),
})

export const changeMember = describeRoute({
  access: 'members.change',
  method: 'patch',
  path: '/organizations/{organization}/members/{person}',
  tags,
  operationId: 'changeMember',
  summary: 'Change a role. The last owner stays owner',
  request: { params: memberPath, ...body(z.strictObject({ role })) },
  responses: done,
})

export const removeMember = describeRoute({
  access: 'members.remove',
  method: 'delete',
  path: '/organizations/{organization}/members/{person}',
  tags,
  operationId: 'removeMember',
  summary: 'Remove a person from the organization; their keys stop working',
  request: { params: memberPath },
  responses: done,
})

export const leaveOrganization = describeRoute({
  access: 'members.leave',
  method: 'post',
  path: '/organizations/{organization}/leave',
  tags,
  operationId: 'leaveOrganization',
  summary: 'Leave the organization; the own keys stop working. The last owner cannot leave',
  request: { params: organizationPath },
  responses: done,
})

const invitation = z
  .object({
    id,
    role,
    email: z
      .string()
      .nullable()
      .openapi({ description: 'Only a person with this address may use it; null: anyone who has the link' }),
    createdAt: moment,
    expiresAt: moment,
    invitedBy: z.string().nullable(),
  })
  .openapi('Invitation')

export const listInvitations = describeRoute({
  access: 'members.invite',
  method: 'get',
  path: '/organizations/{organization}/invitations',
  tags,
  operationId: 'listInvitations',
  summary: 'Invitations that can still be used',
  request: { params: organizationPath },
  responses: json('The invitations, without their links', z.object({ invitations: z.array(invitation) })),
})

export const createInvitation = describeRoute({
  access: 'members.invite',
  method: 'post',
  path: '/organizations/{organization}/invitations',
  tags,
  operationId: 'createInvitation',
  summary: 'Make a link with which one person may join within seven days',
  request: { params: organizationPath, ...body(z.strictObject({ role, email: email.optional() })) },
  responses: json('The link is shown once', z.object({ invitation, link: z.string() })),
})

export const revokeInvitation = describeRoute({
  access: 'members.invite',
  method: 'delete',
  path: '/organizations/{organization}/invitations/{invitation}',
  tags,
  operationId: 'revokeInvitation',
  summary: 'Make an invitation useless',
  request: { params: pathWith('invitation') },
  responses: done,
})

export const lookUpInvitation = describeRoute({
  access: 'anyone',
  method: 'post',
  path: '/invitations/look-up',
  tags,
  operationId: 'lookUpInvitation',
  summary: 'What an invitation link offers. The token is what follows # in the link',
  request: body(z.strictObject({ token: secret })),
  responses: json(
    'The invitation',
    z.object({ organization: z.string(), role, email: z.string().nullable(), expiresAt: moment }),
  ),
})

export const acceptInvitation = describeRoute({
  access: 'anyone',
  method: 'post',
  path: '/invitations/accept',
  tags,
  operationId: 'acceptInvitation',
  summary: 'Join: as the person who is signed in, or as a new person, who is then signed in',
  request: body(
    z.strictObject({
      token: secret,
      person: z
        .strictObject({ name, email, password })
        .optional()
        .openapi({ description: 'Absent for a person who is signed in' }),
    }),
  ),
  responses: json('The organization joined', z.object({ organization: id })),
})
