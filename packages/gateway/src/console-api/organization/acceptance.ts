// Someone opens the link of an invitation, and joins.

import { ApiError } from '@hearth/chat'
import { digestSecret } from '../../access/secrets/secrets.ts'
import type { Acceptance } from '../../store/people/accept-invitation.ts'
import { hashNewPassword } from '../account/new-password.ts'
import { signInWith } from '../account/sign-in-with.ts'
import { takeEffect, type ConsoleApp, type ConsoleContext, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/members.ts'

export function addAcceptance(app: ConsoleApp, parts: ConsoleParts): void {
  const { store, guessLimiter } = parts

  app.openapi(routes.lookUpInvitation, async (context) => {
    guessLimiter.count(context.env.address)
    const digest = digestSecret(context.req.valid('json').token)
    const found = await store.findInvitation({ digest, at: new Date() })
    if (!found) throw invalidLink()
    const { organizationName: organization, role, email, expiresAt } = found
    return context.json({ organization, role, email: email ?? null, expiresAt: expiresAt.toISOString() }, 200)
  })

  app.openapi(routes.acceptInvitation, async (context) => {
    const { token, person } = context.req.valid('json')
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
    return context.json({ organization: accepted.organization }, 200)
  })
}

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
