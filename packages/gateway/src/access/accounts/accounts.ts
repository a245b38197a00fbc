// Sign-in, built on an account library that nothing outside this file knows about. The library owns sessions, passwords, two-factor
// authentication, passkeys and the external provider. Only the endpoints listed in ENDPOINTS are reachable; the library's own pages and
// its own ways of changing members are not.

import { randomUUIDv7 } from 'node:crypto'
import { passkey } from '@better-auth/passkey'
import { hashPassword } from 'better-auth/crypto'
import { betterAuth } from 'better-auth/minimal'
import { genericOAuth, organization, twoFactor } from 'better-auth/plugins'
import type { AccountTables } from '../../store/people/accounts.ts'
import { digestSessions } from './session-digests.ts'

export interface AccountOptions {
  tables: AccountTables
  /** Signs cookies and encrypts two-factor secrets. */
  secret: string
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

export interface Session {
  id: string
  person: { id: string; name: string; email: string }
  activeOrganization: string | undefined
  expiresAt: Date
  /** Set-Cookie values that renew the session. */
  cookies: string[]
}

/** The sender of a request. */
export interface Browser {
  headers: Headers
  address: string
}

export type AccountEndpoint = keyof typeof ENDPOINTS

/** The library endpoints that may be called, each with its method. */
const ENDPOINTS = {
  '/sign-in/email': 'POST',
  '/sign-in/social': 'POST',
  '/sign-out': 'POST',
  '/change-password': 'POST',
  '/organization/set-active': 'POST',
  '/two-factor/enable': 'POST',
  '/two-factor/disable': 'POST',
  '/two-factor/verify-totp': 'POST',
  '/two-factor/verify-backup-code': 'POST',
  '/callback/oidc': 'GET',
  '/passkey/generate-register-options': 'GET',
  '/passkey/verify-registration': 'POST',
  '/passkey/generate-authenticate-options': 'GET',
  '/passkey/verify-authentication': 'POST',
  '/passkey/list-user-passkeys': 'GET',
  '/passkey/delete-passkey': 'POST',
} as const

export const ACCOUNT_PREFIX = '/api/auth'
const PROVIDER = 'oidc'
const DAY_S = 86_400
/** A session expires this long after the last visit. */
const SESSION_S = 7 * DAY_S

export class Accounts {
  readonly #options: AccountOptions
  #library: ReturnType<typeof createLibrary>

  constructor(options: AccountOptions) {
    this.#options = options
    this.#library = createLibrary(options)
  }

  get providerName(): string | undefined {
    return this.#options.provider?.name
  }

  async session(headers: Headers): Promise<Session | undefined> {
    if (!headers.has('cookie')) return undefined
    const { response, headers: renewal } = await this.#library.api.getSession({ headers, returnHeaders: true })
    if (!response) return undefined
    const { id, expiresAt, activeOrganizationId } = response.session
    const { user } = response
    return {
      id,
      person: { id: user.id, name: user.name, email: user.email },
      activeOrganization: activeOrganizationId ?? undefined,
      expiresAt,
      cookies: renewal.getSetCookie(),
    }
  }

  /** Returns the library's response: JSON, with cookies in its headers. The caller has already checked the request's origin. */
  call(endpoint: AccountEndpoint, { headers, address }: Browser, body?: object, query = ''): Promise<Response> {
    const forwarded = new Headers({ origin: this.#options.publicUrl, [ADDRESS_HEADER]: address })
    for (const name of ['cookie', 'user-agent']) if (headers.has(name)) forwarded.set(name, headers.get(name)!)
    if (body) forwarded.set('content-type', 'application/json')
    return this.#library.handler(
      new Request(`${this.#options.publicUrl}${ACCOUNT_PREFIX}${endpoint}${query}`, {
        method: ENDPOINTS[endpoint],
        headers: forwarded,
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  }

  /** Returns where to send the browser. If the provider could not be reached at startup, this tries again. */
  async signInWithProvider(browser: Browser): Promise<Response> {
    const body = { provider: PROVIDER, callbackURL: '/', errorCallbackURL: '/sign-in' }
    const answer = await this.call('/sign-in/social', browser, body)
    if (answer.status !== 404) return answer
    this.#library = createLibrary(this.#options)
    return await this.call('/sign-in/social', browser, body)
  }

  static isEndpoint(path: string, method: string): path is AccountEndpoint {
    return Object.hasOwn(ENDPOINTS, path) && ENDPOINTS[path as AccountEndpoint] === method
  }
}

export { hashPassword }

/** The header that passes the client's address to the library. */
const ADDRESS_HEADER = 'x-hearth-address'

/** Columns whose names differ between our tables and the library. */
const ORGANIZATION_SCHEMA = {
  member: { fields: { userId: 'personId' } },
  invitation: { fields: { inviterId: 'invitedBy' } },
}

function createLibrary({ tables, secret, publicUrl, provider, mayComeIn }: AccountOptions) {
  const isSecure = publicUrl.startsWith('https://')
  return betterAuth({
    appName: 'Hearth',
    baseURL: publicUrl,
    basePath: ACCOUNT_PREFIX,
    secret,
    database: digestSessions(tables),
    trustedOrigins: [publicUrl],
    telemetry: { enabled: false },
    logger: { disabled: true },
    // Errors of the store are thrown, and get a 503, instead of becoming a 500 without a reason.
    onAPIError: { throw: true, errorURL: `${publicUrl}/sign-in` },
    user: { modelName: 'person' },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 128 },
    session: { expiresIn: SESSION_S, updateAge: DAY_S },
    // Two sign-in methods are linked only when their owner does it while signed in: without email verification, an address proves nothing.
    account: { accountLinking: { enabled: true, disableImplicitLinking: true } },
    databaseHooks: {
      user: { create: { before: async ({ email }) => (await mayComeIn(email)) && undefined } },
      account: { create: { before: dropProviderTokens }, update: { before: dropProviderTokens } },
    },
    // Attempts are limited before a request gets here, together with attempts at codes and links.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'hearth',
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, secure: isSecure, sameSite: 'lax', path: '/' },
      cookies: {
        session_token: {
          name: isSecure ? '__Host-hearth-session' : 'hearth-session',
          attributes: { sameSite: 'strict' },
        },
      },
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
