// Sign-in, built on an account library that nothing outside this folder knows about. The library owns sessions, passwords, two-factor
// authentication, passkeys and the external provider. Only the endpoints listed in ENDPOINTS are reachable; the library's own pages and
// its own ways of changing members are not.

import { dropUnprintable } from '../../text/printable.ts'
import {
  ACCOUNT_PREFIX,
  ADDRESS_HEADER,
  createLibrary,
  IDLE_MS,
  PROVIDER,
  SESSION_MS,
  type AccountOptions,
} from './library.ts'

export interface Session {
  id: string
  person: { id: string; name: string; email: string }
  activeOrganization: string | undefined
  /** Without another visit. */
  expiresAt: Date
  /** Whatever happens. */
  endsAt: Date
}

/** The sender of a request. */
export interface Browser {
  headers: Headers
  address: string
}

export interface Called {
  answer: Response
  /** Whose account this was about, as far as the library says so: always after a sign-in, and after a wrong code. */
  person: string | undefined
}

interface Visited {
  id: string
  expiresAt: Date
  updatedAt: Date
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
/** How late the time of the last visit may be. Each one that is noted is a write. */
const RENEWAL_MS = 900_000

export class Accounts {
  readonly #options: AccountOptions
  /** Whose account the library found a request to be about. */
  readonly #people = new WeakMap<Request, string>()
  #library: ReturnType<typeof createLibrary>

  constructor(options: AccountOptions) {
    this.#options = options
    this.#library = this.#createLibrary()
  }

  get providerName(): string | undefined {
    return this.#options.provider?.name
  }

  /** Second factors are stored only if they can be encrypted. */
  get keepsSecondFactors(): boolean {
    return this.#options.keyring !== undefined
  }

  /** Being asked for it is a visit. */
  async session(headers: Headers): Promise<Session | undefined> {
    if (!headers.has('cookie')) return undefined
    const found = await this.#library.api.getSession({ headers })
    if (!found) return undefined
    const { session, user } = found
    const endsAt = new Date(session.createdAt.getTime() + SESSION_MS)
    if (endsAt.getTime() <= Date.now()) return undefined
    return {
      id: session.id,
      person: { id: user.id, name: user.name, email: user.email },
      activeOrganization: session.activeOrganizationId ?? undefined,
      expiresAt: await this.#noteVisit(session, endsAt),
      endsAt,
    }
  }

  /** Returns when the session expires now. */
  async #noteVisit({ id, expiresAt, updatedAt }: Visited, endsAt: Date): Promise<Date> {
    const now = Date.now()
    const next = new Date(Math.min(now + IDLE_MS, endsAt.getTime()))
    const isNoted = Math.max(now - updatedAt.getTime(), next.getTime() - expiresAt.getTime()) < RENEWAL_MS
    if (isNoted) return expiresAt
    await this.#options.store.renewSession({ id, expiresAt: next })
    return next
  }

  /** Returns the library's response: JSON, with cookies in its headers. The caller has already checked the request's origin. */
  async call(endpoint: AccountEndpoint, { headers, address }: Browser, body?: object, query = ''): Promise<Called> {
    const forwarded = new Headers({ origin: this.#options.publicUrl, [ADDRESS_HEADER]: address })
    for (const name of ['cookie', 'user-agent']) {
      const value = headers.get(name)
      if (value !== null) forwarded.set(name, name === 'user-agent' ? printableBrowser(value) : value)
    }
    if (body) forwarded.set('content-type', 'application/json')
    const request = new Request(`${this.#options.publicUrl}${ACCOUNT_PREFIX}${endpoint}${query}`, {
      method: ENDPOINTS[endpoint],
      headers: forwarded,
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await this.#library.handler(request)
    return { answer, person: this.#people.get(request) }
  }

  /** Returns where to send the browser. If the provider could not be reached at startup, this tries again. */
  async signInWithProvider(browser: Browser): Promise<Called> {
    const body = { provider: PROVIDER, callbackURL: '/', errorCallbackURL: '/sign-in' }
    const called = await this.call('/sign-in/social', browser, body)
    if (called.answer.status !== 404) return called
    this.#library = this.#createLibrary()
    return await this.call('/sign-in/social', browser, body)
  }

  #createLibrary(): ReturnType<typeof createLibrary> {
    return createLibrary(this.#options, (request, person) => this.#people.set(request, person))
  }

  static isEndpoint(path: string, method: string): path is AccountEndpoint {
    return Object.hasOwn(ENDPOINTS, path) && ENDPOINTS[path as AccountEndpoint] === method
  }
}

/** Kept with sessions and activity. */
export function printableBrowser(userAgent: string): string {
  return dropUnprintable(userAgent).slice(0, MAX_USER_AGENT)
}
