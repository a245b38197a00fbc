// Someone opens the link of an invitation, and joins.

import { ApiError } from '@hearth/chat'
import { z } from '@hono/zod-openapi'
import { digestSecret } from '../../access/secrets/secrets.ts'
import type { Acceptance } from '../../store/people/accept-invitation.ts'
import { hashNewPassword } from '../account/new-password.ts'
import { signInWith } from '../account/sign-in-with.ts'
import { takeEffect, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { body, routesOf, json, PASSWORD_ANSWERS_WITHIN_MS, WITHIN_FIELD } from '../routes/route.ts'
import { dateTime, email, id, name, password, role, secret } from '../routes/shapes.ts'

const route = routesOf('Members')

export const lookUpInvitation = route('post', '/invitations/look-up', {
  access: 'anyone',
  summary: 'Look up an invitation. The token is the part of the link after #',
  request: body(z.strictObject({ token: secret })),
  responses: json(
    'The invitation',
    z.object({ organization: z.string(), role, email: z.string().nullable(), expiresAt: dateTime }),
  ),
  async handle({ store, guessLimiter }, context, { token }) {
    guessLimiter.count(context.env.address)
    const found = await store.findInvitation({ digest: digestSecret(token), at: new Date() })
    if (!found) throw invalidLink()
    return { ...found, organization: found.organizationName }
  },
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
  async handle(parts, context, { token, person }) {
    const { store, guessLimiter } = parts
    const { address } = context.env
    guessLimiter.count(address)
    const digest = digestSecret(token)
    // Check this before hashing the password, which takes a while.
    if (!(await store.findInvitation({ digest, at: new Date() }))) throw invalidLink()
    const as = person
      ? { name: person.name, email: person.email, passwordHash: await hashNewPassword(person) }
      : { person: await personOf(parts, context) }
    const accepted = await store.acceptInvitation({ digest, at: new Date(), as, address })
    if (accepted.kind !== 'joined') throw rejection(accepted.kind)
    await takeEffect(parts)
    if (person) await signInWith(parts, context, person.email, person.password)
    return { organization: accepted.organization }
  },
})

async function personOf({ accounts }: ConsoleParts, context: ConsoleContext): Promise<string> {
  const session = await accounts.session(context.req.raw.headers)
  if (session) return session.person.id
  throw new ApiError('not_signed_in', 'Sign in, or send a name, an email address and a password.')
}

function rejection(kind: Exclude<Acceptance['kind'], 'joined'>): ApiError {
  switch (kind) {
    case 'unknown':
      return invalidLink()
    case 'wrong-person':
      return new ApiError('not_permitted', 'This invitation is for another email address.')
    case 'member-already':
      return new ApiError('conflict', 'You are already a member of this organization.')
    case 'sign-in-first':
      return new ApiError('conflict', 'This email address already has an account. Sign in, then open the link again.')
    default:
      return kind satisfies never
  }
}

function invalidLink(): ApiError {
  return new ApiError('invalid_link', 'This invitation is no longer valid. Ask for a new one.')
}
