// The account library, as Hearth sets it up.

import { randomUUIDv7 } from 'node:crypto'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@hearth/password-rules/bounds'
import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth/minimal'
import { genericOAuth, organization, twoFactor } from 'better-auth/plugins'
import type { AccountTables } from '../../store/people/accounts.ts'
import { dropUnprintable } from '../../text/printable.ts'
import type { Keyring } from '../keyring/keyring.ts'
import { sealFactors } from './sealed-factors.ts'
import { digestSessions } from './session-digests.ts'

export interface AccountOptions {
  tables: AccountTables
  /** Signs cookies. */
  secret: string
  /** Encrypts second factors. Without it, nobody can set one up. */
  keyring: Keyring | undefined
  /** The URL people open, without a path. */
  publicUrl: string
  provider?: ProviderOptions
  /** Whether someone who signs in through the provider for the first time may have an account. */
  mayComeIn: (email: string) => Promise<boolean>
}

export interface ProviderOptions {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

export const ACCOUNT_PREFIX = '/api/auth'
export const PROVIDER = 'oidc'
const DAY_S = 86_400
/** Like the names that people choose here. */
const MAX_NAME = 128
/** A session expires this long after the last visit. */
const SESSION_S = 7 * DAY_S
/** How late the time of the last visit may be. Each renewal is a write. */
const RENEWAL_S = 900

/** The header that passes the client's address to the library. */
export const ADDRESS_HEADER = 'x-hearth-address'

/** Columns whose names differ between our tables and the library. */
const ORGANIZATION_SCHEMA = {
  member: { fields: { userId: 'personId' } },
  invitation: { fields: { inviterId: 'invitedBy' } },
}

const PASSWORDS = {
  enabled: true,
  disableSignUp: true,
  minPasswordLength: SHORTEST_PASSWORD,
  maxPasswordLength: LONGEST_PASSWORD,
}

const ACCOUNT = {
  // Two sign-in methods are linked only when their owner does it while signed in: without email verification, an address proves nothing.
  accountLinking: { enabled: true, disableImplicitLinking: true },
  // The state of a sign-in with the provider holds a secret. It is in the browser, encrypted, and not in the database.
  storeStateStrategy: 'cookie',
} as const

export function createLibrary({ tables, secret, keyring, publicUrl, provider, mayComeIn }: AccountOptions) {
  return betterAuth({
    appName: 'Hearth',
    baseURL: publicUrl,
    basePath: ACCOUNT_PREFIX,
    secret,
    database: digestSessions(keyring ? sealFactors(tables, keyring) : tables),
    // The names of sign-ins that are half done are secrets of the browsers they began in.
    verification: { storeIdentifier: 'hashed' },
    trustedOrigins: [publicUrl],
    telemetry: { enabled: false },
    logger: { disabled: true },
    // Errors of the store are thrown, and get a 503, instead of becoming a 500 without a reason.
    onAPIError: { throw: true, errorURL: `${publicUrl}/sign-in` },
    user: { modelName: 'person' },
    emailAndPassword: PASSWORDS,
    session: { expiresIn: SESSION_S, updateAge: RENEWAL_S },
    account: ACCOUNT,
    databaseHooks: {
      user: { create: { before: async (person) => (await mayComeIn(person.email)) && printablePerson(person) } },
      account: { create: { before: dropProviderTokens }, update: { before: dropProviderTokens } },
    },
    // Attempts are limited before a request gets here, together with attempts at codes and links.
    rateLimit: { enabled: false },
    advanced: {
      ...cookiesFor(publicUrl),
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => randomUUIDv7() },
    },
    plugins: [
      organization({ schema: ORGANIZATION_SCHEMA, disableOrganizationDeletion: true }),
      twoFactor({ issuer: 'Hearth' }),
      passkey({ rpID: new URL(publicUrl).hostname, rpName: 'Hearth', origin: publicUrl }),
      ...(provider ? [genericOAuth({ config: [describeProvider(provider)] })] : []),
    ],
  })
}

/** The provider may send any name. */
function printablePerson({ name }: { name: string }): { data: { name: string } } {
  return { data: { name: dropUnprintable(name).trim().slice(0, MAX_NAME) } }
}

function cookiesFor(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https://')
  return {
    cookiePrefix: 'hearth',
    useSecureCookies: false,
    defaultCookieAttributes: { httpOnly: true, secure: isSecure, sameSite: 'lax', path: '/' },
    cookies: {
      session_token: {
        name: isSecure ? '__Host-hearth-session' : 'hearth-session',
        attributes: { sameSite: 'strict' },
      },
    },
  } as const
}

/** Hearth asks the provider who someone is, once per sign-in, and never acts on their behalf: nobody needs the tokens afterwards. */
async function dropProviderTokens() {
  return { data: { accessToken: null, refreshToken: null, idToken: null } }
}

function describeProvider({ name, issuer, clientId, clientSecret }: ProviderOptions) {
  return {
    providerId: PROVIDER,
    name,
    discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
  }
}
