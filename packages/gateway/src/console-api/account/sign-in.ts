// Signing in and out, and the first person. The account library does the work; its responses are translated into ours and its cookies passed on.

import { ApiError } from '@hearth/chat'
import { z } from '@hono/zod-openapi'
import { digestSecret } from '../../access/secrets/secrets.ts'
import { browserOf, takeEffect } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import { body, routesOf, json, PASSWORD_ANSWERS_WITHIN_MS, WITHIN_FIELD } from '../routes/route.ts'
import { email, id, name, object, password, secret } from '../routes/shapes.ts'
import { isWrong, passOn, readAnswer } from './library-answer.ts'
import { hashNewPassword } from './new-password.ts'
import { noteFailure } from './note-activity.ts'
import { noteSignIn, signInWith } from './sign-in-with.ts'

const route = routesOf('Account')

const signInOptions = object('SignInOptions', {
  isSetUp: z.boolean().describe('False until the first person has used the set-up link'),
  hasPassword: z.boolean(),
  hasPasskeys: z.boolean(),
  provider: z
    .object({ name: z.string() })
    .nullable()
    .describe('The external OpenID Connect provider, if one is configured'),
})

const nextStep = object('SignInStep', 'If second-factor, send the code to /sign-in/second-factor', {
  next: z.enum(['done', 'second-factor']),
})

export const readSignInOptions = route('get', '/sign-in', {
  access: 'anyone',
  summary: 'List the ways to sign in',
  responses: json('The ways to sign in', signInOptions),
  handle: async ({ signInState, accounts: { providerName: provider }, publicUrl }) => ({
    isSetUp: await signInState.isSetUp(),
    hasPassword: true,
    hasPasskeys: publicUrl !== '',
    provider: provider === undefined ? null : { name: provider },
  }),
})

export const signIn = route('post', '/sign-in', {
  access: 'anyone',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Sign in with a password',
  request: body(z.strictObject({ email: z.string().min(1).max(254), password: z.string().min(1).max(128) })),
  responses: json('Sets a session cookie, or asks for the second factor', nextStep),
  async handle(parts, context, input) {
    parts.guessLimiter.countSignIn(context.env.address, input.email)
    return { next: await signInWith(parts, context, input.email, input.password) }
  },
})

export const signInSecondFactor = route('post', '/sign-in/second-factor', {
  access: 'anyone',
  summary: 'Finish signing in with a code from your authenticator app, or a backup code',
  request: body(z.strictObject({ code: z.string().min(1).max(32), isBackupCode: z.boolean().optional() })),
  responses: json('Sets a session cookie', nextStep),
  async handle(parts, context, { code, isBackupCode }) {
    parts.guessLimiter.count(context.env.address)
    const endpoint = isBackupCode ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp'
    const { answer, person } = await parts.accounts.call(endpoint, browserOf(context), { code: code.trim() })
    if (isWrong(answer) && person !== undefined) noteFailure(parts, context, 'wrong-code', { person, isThem: false })
    const { user } = await readAnswer(context, answer, 'Wrong code, or the sign-in took too long. Try again.')
    const way = isBackupCode ? 'backup-code' : 'code'
    await noteSignIn(parts, context, { person, way, ...emailOf(user) })
    return { next: 'done' as const }
  },
})

export const signInProvider = route('post', '/sign-in/provider', {
  access: 'anyone',
  summary: 'Start signing in with the external OpenID Connect provider',
  responses: json('The URL to redirect the browser to', z.object({ url: z.string() })),
  async handle({ accounts, guessLimiter }, context) {
    if (accounts.providerName === undefined) throw notFound('provider')
    guessLimiter.count(context.env.address)
    const { answer } = await accounts.signInWithProvider(browserOf(context))
    const { url } = await readAnswer(context, answer)
    return { url: String(url) }
  },
})

export const signOut = route('post', '/sign-out', {
  access: 'anyone',
  summary: 'Sign out',
  async handle(parts, context) {
    const session = await parts.accounts.session(context.req.raw.headers)
    const { answer } = await parts.accounts.call('/sign-out', browserOf(context), {})
    passOn(context, answer)
    if (!session) return
    // The session's playground key and its event streams end with it.
    await takeEffect(parts)
    parts.sessionEnds.emit(session.id)
  },
})

export const setUp = route('post', '/set-up', {
  access: 'anyone',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Become the first owner, with the set-up link that the gateway printed',
  request: body(z.strictObject({ token: secret, name, email, password, organization: name })),
  responses: json('You are signed in', z.object({ organization: id })),
  async handle(parts, context, { token, organization, ...person }) {
    const { guessLimiter, store, signInState } = parts
    const { address } = context.env
    guessLimiter.count(address)
    if (await signInState.isSetUp()) throw invalidLink()
    const passwordHash = await hashNewPassword(person)
    const input = { digest: digestSecret(token), at: new Date(), organization, address }
    const done = await store.setUp({ ...input, person: { name: person.name, email: person.email, passwordHash } })
    if (!done) throw invalidLink()
    signInState.note(true)
    await signInWith(parts, context, person.email, person.password)
    return done
  },
})

function emailOf(user: unknown): { email?: string } {
  return typeof user === 'object' && user !== null && 'email' in user ? { email: String(user.email) } : {}
}

function invalidLink(): ApiError {
  return new ApiError(
    'invalid_link',
    'This link is no longer valid. If no one has signed in yet, restart the gateway to get a new one.',
  )
}
