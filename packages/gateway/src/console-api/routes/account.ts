// Signing in and out, the first person, and what a person knows about themselves.

import { z } from '@hono/zod-openapi'
import { body, describeRoute, done, json } from './route.ts'
import { email, id, moment, name, password, role, secret } from './shapes.ts'

const tags = ['Account']

export const signInOptions = z
  .object({
    isSetUp: z.boolean().openapi({ description: 'False until the first person has opened the one-time link' }),
    hasPassword: z.boolean(),
    hasPasskeys: z.boolean(),
    provider: z
      .object({ name: z.string() })
      .nullable()
      .openapi({ description: 'An external OpenID provider, when one is set' }),
  })
  .openapi('SignInOptions')

const nextStep = z
  .object({ next: z.enum(['done', 'second-factor']) })
  .openapi('SignInStep', { description: 'second-factor: send the code to /sign-in/second-factor' })

export const readSignInOptions = describeRoute({
  access: 'anyone',
  method: 'get',
  path: '/sign-in',
  tags,
  operationId: 'readSignInOptions',
  summary: 'Ways to sign in',
  responses: json('What the sign-in page offers', signInOptions),
})

export const signIn = describeRoute({
  access: 'anyone',
  method: 'post',
  path: '/sign-in',
  tags,
  operationId: 'signIn',
  summary: 'Sign in with a password',
  request: body(z.strictObject({ email: z.string().min(1).max(254), password: z.string().min(1).max(128) })),
  responses: json('A session cookie is set, or a second factor is needed', nextStep),
})

export const signInSecondFactor = describeRoute({
  access: 'anyone',
  method: 'post',
  path: '/sign-in/second-factor',
  tags,
  operationId: 'signInSecondFactor',
  summary: 'Finish signing in with a code of an authenticator app, or with a backup code',
  request: body(z.strictObject({ code: z.string().min(1).max(32), isBackupCode: z.boolean().optional() })),
  responses: json('A session cookie is set', nextStep),
})

export const signInProvider = describeRoute({
  access: 'anyone',
  method: 'post',
  path: '/sign-in/provider',
  tags,
  operationId: 'signInProvider',
  summary: 'Begin to sign in with the external OpenID provider',
  responses: json('The address to send the browser to', z.object({ url: z.string() })),
})

export const signOut = describeRoute({
  access: 'anyone',
  method: 'post',
  path: '/sign-out',
  tags,
  operationId: 'signOut',
  summary: 'End the session',
  responses: done,
})

export const setUp = describeRoute({
  access: 'anyone',
  method: 'post',
  path: '/set-up',
  tags,
  operationId: 'setUp',
  summary: 'Become the first owner, with the one-time link the gateway printed',
  request: body(z.strictObject({ token: secret, name, email, password, organization: name })),
  responses: json('The person is signed in', z.object({ organization: id })),
})

const membership = z.object({ id, name: z.string(), role }).openapi('Membership')

export const me = z
  .object({
    person: z.object({
      id,
      name: z.string(),
      email: z.string(),
      hasPassword: z.boolean(),
      hasSecondFactor: z.boolean(),
    }),
    organizations: z.array(membership),
    activeOrganization: id.nullable().openapi({ description: 'The one the person looked at last' }),
    mayCreateOrganization: z.boolean(),
    sessionExpiresAt: moment,
  })
  .openapi('Me')

export const readMe = describeRoute({
  access: 'signed-in',
  method: 'get',
  path: '/me',
  tags,
  operationId: 'readMe',
  summary: 'The person who is signed in, and their organizations',
  responses: json('The person', me),
})

export const changeMe = describeRoute({
  access: 'signed-in',
  method: 'patch',
  path: '/me',
  tags,
  operationId: 'changeMe',
  summary: 'Change the own name',
  request: body(z.strictObject({ name })),
  responses: done,
})

export const changeActiveOrganization = describeRoute({
  access: 'signed-in',
  method: 'put',
  path: '/me/active-organization',
  tags,
  operationId: 'changeActiveOrganization',
  summary: 'Remember which organization to show',
  request: body(z.strictObject({ organization: id })),
  responses: done,
})

export const changePassword = describeRoute({
  access: 'signed-in',
  method: 'put',
  path: '/me/password',
  tags,
  operationId: 'changePassword',
  summary: 'Change the own password; other sessions of the person end',
  request: body(z.strictObject({ current: z.string().min(1).max(128), next: password })),
  responses: done,
})

export const beginSecondFactor = describeRoute({
  access: 'signed-in',
  method: 'post',
  path: '/me/second-factor',
  tags,
  operationId: 'beginSecondFactor',
  summary: 'Begin to use a second factor; it counts once it is confirmed',
  request: body(z.strictObject({ password: z.string().min(1).max(128) })),
  responses: json(
    'For the authenticator app, and backup codes to keep',
    z.object({ uri: z.string(), backupCodes: z.array(z.string()) }),
  ),
})

export const confirmSecondFactor = describeRoute({
  access: 'signed-in',
  method: 'post',
  path: '/me/second-factor/confirm',
  tags,
  operationId: 'confirmSecondFactor',
  summary: 'Confirm the second factor with a code of the authenticator app',
  request: body(z.strictObject({ code: z.string().min(1).max(32) })),
  responses: done,
})

export const endSecondFactor = describeRoute({
  access: 'signed-in',
  method: 'post',
  path: '/me/second-factor/end',
  tags,
  operationId: 'endSecondFactor',
  summary: 'Stop using a second factor',
  request: body(z.strictObject({ password: z.string().min(1).max(128) })),
  responses: done,
})
