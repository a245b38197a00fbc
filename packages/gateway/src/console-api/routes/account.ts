// Signing in and out, the first person, and your own account.

import { z } from '@hono/zod-openapi'
import { body, routesOf, json, PASSWORD_ANSWERS_WITHIN_MS, WITHIN_FIELD } from './route.ts'
import { deletesAt, email, id, moment, name, object, password, role, secret } from './shapes.ts'

const route = routesOf('Account')

export const signInOptions = object('SignInOptions', {
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
})

export const signIn = route('post', '/sign-in', {
  access: 'anyone',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Sign in with a password',
  request: body(z.strictObject({ email: z.string().min(1).max(254), password: z.string().min(1).max(128) })),
  responses: json('Sets a session cookie, or asks for the second factor', nextStep),
})

export const signInSecondFactor = route('post', '/sign-in/second-factor', {
  access: 'anyone',
  summary: 'Finish signing in with a code from your authenticator app, or a backup code',
  request: body(z.strictObject({ code: z.string().min(1).max(32), isBackupCode: z.boolean().optional() })),
  responses: json('Sets a session cookie', nextStep),
})

export const signInProvider = route('post', '/sign-in/provider', {
  access: 'anyone',
  summary: 'Start signing in with the external OpenID Connect provider',
  responses: json('The URL to redirect the browser to', z.object({ url: z.string() })),
})

export const signOut = route('post', '/sign-out', {
  access: 'anyone',
  summary: 'Sign out',
})

export const setUp = route('post', '/set-up', {
  access: 'anyone',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Become the first owner, with the set-up link that the gateway printed',
  request: body(z.strictObject({ token: secret, name, email, password, organization: name })),
  responses: json('You are signed in', z.object({ organization: id })),
})

const membership = object('Membership', { id, name: z.string(), role, deletesAt })

export const me = object('Me', {
  person: z.object({
    id,
    name: z.string(),
    email: z.string(),
    hasPassword: z.boolean(),
    hasSecondFactor: z.boolean(),
  }),
  organizations: z.array(membership),
  activeOrganization: id.nullable().describe('The organization you viewed last'),
  mayCreateOrganization: z.boolean(),
  sessionExpiresAt: moment,
})

export const readMe = route('get', '/me', {
  access: 'signed-in',
  summary: 'Get your account and your organizations',
  responses: json('Your account', me),
})

export const changeMe = route('patch', '/me', {
  access: 'signed-in',
  summary: 'Change your name',
  request: body(z.strictObject({ name })),
})

export const changeActiveOrganization = route('put', '/me/active-organization', {
  access: 'signed-in',
  summary: 'Choose which organization to show',
  request: body(z.strictObject({ organization: id })),
})

export const changePassword = route('put', '/me/password', {
  access: 'signed-in',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Change your password and end your other sessions',
  request: body(z.strictObject({ current: z.string().min(1).max(128), next: password })),
})

export const sessions = object('Sessions', 'Those used last come first, at most 100', {
  sessions: z.array(
    object('Session', {
      id,
      address: z.string().nullable().describe('The network address that it began from'),
      browser: z.string().nullable().describe('The user agent that it began with'),
      createdAt: moment,
      lastSeenAt: moment.describe('Up to 15 minutes late'),
      isThis: z.boolean().describe('The session that asks'),
    }),
  ),
})

export const listSessions = route('get', '/me/sessions', {
  access: 'signed-in',
  summary: 'List where you are signed in',
  responses: json('Your sessions', sessions),
})

export const endSession = route('delete', '/me/sessions/{session}', {
  access: 'signed-in',
  summary: 'End one of your sessions',
})

export const endOtherSessions = route('delete', '/me/sessions', {
  access: 'signed-in',
  summary: 'End all your sessions but this one',
})

export const beginSecondFactor = route('post', '/me/second-factor', {
  access: 'signed-in',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Start setting up two-factor authentication. It takes effect once you confirm it',
  request: body(z.strictObject({ password: z.string().min(1).max(128) })),
  responses: json(
    'The URI for your authenticator app, and backup codes to keep in a safe place',
    z.object({ uri: z.string(), backupCodes: z.array(z.string()) }),
  ),
})

export const confirmSecondFactor = route('post', '/me/second-factor/confirm', {
  access: 'signed-in',
  summary: 'Confirm two-factor authentication with a code from your authenticator app',
  request: body(z.strictObject({ code: z.string().min(1).max(32) })),
})

export const endSecondFactor = route('post', '/me/second-factor/end', {
  access: 'signed-in',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Turn off two-factor authentication',
  request: body(z.strictObject({ password: z.string().min(1).max(128) })),
})

export const deleteMe = route('post', '/me/delete', {
  access: 'signed-in',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Delete your account, and leave all organizations',
  request: body(
    z.strictObject({
      email: z.string().max(254).describe('Your email address'),
      password: z.string().max(128).optional().describe('Needed if you have one'),
    }),
  ),
})
