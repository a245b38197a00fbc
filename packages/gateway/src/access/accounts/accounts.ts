// Sign-in, built on an account library that nothing outside this folder knows about. The library owns sessions, passwords, two-factor
// authentication, passkeys and the external provider. Only the endpoints listed in ENDPOINTS are reachable; the library's own pages and
// its own ways of changing members are not.

import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { dropUnprintable } from '../../text/printable.ts'
import { ACCOUNT_PREFIX, ADDRESS_HEADER, createLibrary, PROVIDER, type AccountOptions } from './library.ts'

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

/** The common ones have at most 200 characters. */
const MAX_USER_AGENT = 256

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

  /** Second factors are stored only if they can be encrypted. */
  get keepsSecondFactors(): boolean {
    return this.#options.keyring !== undefined
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
    for (const name of ['cookie', 'user-agent']) {
      const value = headers.get(name)
      if (value !== null) forwarded.set(name, name === 'user-agent' ? printableBrowser(value) : value)
    }
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

/** The library keeps it with the session. */
function printableBrowser(userAgent: string): string {
  return dropUnprintable(userAgent).slice(0, MAX_USER_AGENT)
}

export { hashPassword, verifyPassword }
