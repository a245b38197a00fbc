// The account library, as Hearth sets it up.

import { randomUUIDv7 } from 'node:crypto'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@hearth/password-rules/bounds'
import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth/minimal'
import { genericOAuth, organization, twoFactor } from 'better-auth/plugins'
import type { AccountTables } from '../../store/people/accounts.ts'
import type { Store } from '../../store/store.ts'
import { dropUnprintable } from '../../text/printable.ts'
import type { Keyring } from '../keyring/keyring.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'
import { sealFactors } from './sealed-factors.ts'
import { secondSteps, type SecondStepOptions } from './second-steps.ts'
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
  store: Pick<Store, 'useStep' | 'replacePasswordHash' | 'renewSession'>
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
/** A session expires this long after the last visit, */
export const IDLE_MS = 7 * DAY_S * 1_000
/** and this long after its person signed in, whatever happens. */
export const SESSION_MS = 30 * DAY_S * 1_000

/** The header that passes the client's address to the library. */
export const ADDRESS_HEADER = 'x-hearth-address'

/** Columns whose names differ between our tables and the library. */
const ORGANIZATION_SCHEMA = {
  member: { fields: { userId: 'personId' } },
  invitation: { fields: { inviterId: 'invitedBy' } },
}

function passwordOptions(store: AccountOptions['store']) {
  return {
    enabled: true,
    disableSignUp: true,
    minPasswordLength: SHORTEST_PASSWORD,
    maxPasswordLength: LONGEST_PASSWORD,
    password: {
      hash: hashPassword,
      async verify({ hash, password }: { hash: string; password: string }): Promise<boolean> {
        if (!(await verifyPassword({ hash, password }))) return false
        if (isOutdated(hash)) await store.replacePasswordHash({ from: hash, to: await hashPassword(password) })
        return true
      },
    },
  }
}

const ACCOUNT = {
  // Two sign-in methods are linked only when their owner does it while signed in: without email verification, an address proves nothing.
  accountLinking: { enabled: true, disableImplicitLinking: true },
  // The state of a sign-in with the provider holds a secret. It is in the browser, encrypted, and not in the database.
  storeStateStrategy: 'cookie',
} as const

export function createLibrary(options: AccountOptions, onPerson: SecondStepOptions['onPerson']) {
  const { tables, secret, keyring, publicUrl, provider, mayComeIn, store } = options
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
    emailAndPassword: passwordOptions(store),
    // The cookie lives as long as a session can. Visits are noted by `Accounts`.
    session: { expiresIn: SESSION_MS / 1_000, disableSessionRefresh: true },
    account: ACCOUNT,
    databaseHooks: {
      user: { create: { before: async (person) => (await mayComeIn(person.email)) && printablePerson(person) } },
      session: { create: { before: async () => ({ data: { expiresAt: new Date(Date.now() + IDLE_MS) } }) } },
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
      secondSteps({ useStep: store.useStep, onPerson }),
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
    // Half a sign-in is as secret as a whole one: no other host may set any of these cookies.
    cookiePrefix: isSecure ? '__Host-hearth' : 'hearth',
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
