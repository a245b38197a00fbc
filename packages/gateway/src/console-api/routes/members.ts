// Members of an organization, and invitations. An invitation is a link that lets one person join, once.

import { z } from '@hono/zod-openapi'
import { body, routesOf, json, PASSWORD_ANSWERS_WITHIN_MS, WITHIN_FIELD } from './route.ts'
import { count, email, id, moment, name, object, password, role, secret, tokensPerMonth } from './shapes.ts'

const route = routesOf('Members')

export const member = object('Member', {
  person: id,
  name: z.string(),
  email: z.string(),
  role,
  isYou: z.boolean(),
  joinedAt: moment,
  activeKeys: z.int().min(0).describe('How many keys would stop working if the person left'),
  tokensPerMonth: tokensPerMonth.nullable(),
})

export const listMembers = route('get', '/organizations/{organization}/members', {
  access: 'members.read',
  summary: 'List the members of the organization',
  responses: json(
    'The members, and the roles that you can grant and take away',
    z.object({ members: z.array(member), grantableRoles: z.array(role) }),
  ),
})

export const changeMember = route('patch', '/organizations/{organization}/members/{person}', {
  access: 'members.change',
  summary: 'Change the role or the monthly budget of a member. The last owner stays an owner',
  request: body(z.strictObject({ role: role.optional(), tokensPerMonth: tokensPerMonth.nullable().optional() })),
})

export const removeMember = route('delete', '/organizations/{organization}/members/{person}', {
  access: 'members.remove',
  summary: 'Remove a member. Their keys stop working',
})

export const leaveOrganization = route('post', '/organizations/{organization}/leave', {
  access: 'members.leave',
  summary: 'Leave the organization. Your keys stop working. The last owner cannot leave',
})

export const invitation = object('Invitation', {
  id,
  role,
  email: z.string().nullable().describe('The only email address that can accept it; null means anyone with the link'),
  createdAt: moment,
  expiresAt: moment,
  invitedBy: z.string().nullable(),
})

export const listInvitations = route('get', '/organizations/{organization}/invitations', {
  access: 'members.invite',
  summary: 'List unused invitations, a page at a time, newest first',
  request: {
    query: z.object({
      offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(100),
    }),
  },
  responses: json(
    'A page of invitations, without their links',
    z.object({
      invitations: z.array(invitation),
      count: count.describe('How many there are on all pages'),
      most: count.describe('How many the organization may have'),
    }),
  ),
})

export const createInvitation = route('post', '/organizations/{organization}/invitations', {
  access: 'members.invite',
  summary:
    'Create a link that lets one person join within seven days. An organization can have a limited number of unused links',
  request: body(z.strictObject({ role, email: email.optional() })),
  responses: json('The link, which is shown only once', z.object({ invitation, link: z.string() })),
})

export const revokeInvitation = route('delete', '/organizations/{organization}/invitations/{invitation}', {
  access: 'members.invite',
  summary: 'Revoke an unused invitation',
})

export const lookUpInvitation = route('post', '/invitations/look-up', {
  access: 'anyone',
  summary: 'Look up an invitation. The token is the part of the link after #',
  request: body(z.strictObject({ token: secret })),
  responses: json(
    'The invitation',
    z.object({ organization: z.string(), role, email: z.string().nullable(), expiresAt: moment }),
  ),
})

export const acceptInvitation = route('post', '/invitations/accept', {
  access: 'anyone',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Accept an invitation with your account, or with a new account, which signs you in',
  request: body(
    z.strictObject({
      token: secret,
      person: z.strictObject({ name, email, password }).optional().describe('Leave this out if you are signed in'),
    }),
  ),
  responses: json('The organization you joined', z.object({ organization: id })),
})
