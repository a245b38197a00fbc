// Someone who uses the console API over HTTP like a browser: keeps cookies and sends the origin of a request.

import { randomInt } from 'node:crypto'

export const ADDRESS_HEADER = 'x-visitor-address'

export interface Answer<Body = Record<string, unknown>> {
  status: number
  body: Body
  headers: Headers
}

type Fetching = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

export class Visitor {
  readonly #base: string
  readonly #cookies = new Map<string, string>()
  /** Each visitor has their own address, if the gateway trusts this header, because attempts are counted by address. */
  readonly address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

  constructor(base: string) {
    this.#base = base
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** The same person with the same cookies, at another address of the gateway. */
  elsewhere(base: string): Visitor {
    const visitor = new Visitor(base)
    for (const [name, value] of this.#cookies) visitor.#cookies.set(name, value)
    return visitor
  }

  get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>> {
    return this.send('GET', path)
  }

  post<Body = Record<string, unknown>>(path: string, body?: object): Promise<Answer<Body>> {
    return this.send('POST', path, body)
  }

  /** `path` is relative to the console API. */
  async send<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await this.fetch(`/api/v1${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(method !== 'GET' && { origin: this.#base }),
        ...more,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = text === '' ? {} : (JSON.parse(text) as Body)
    return { status: response.status, body: answer as Body, headers: response.headers }
  }

  /** Requests any path of the gateway with this visitor's cookies and address. Does not follow redirects. */
  async fetch(path: string, { headers, ...init }: Fetching = {}): Promise<Response> {
    const own = { ...(this.#cookies.size > 0 && { cookie: this.cookie }), [ADDRESS_HEADER]: this.address }
    const response = await fetch(this.#base + path, { redirect: 'manual', ...init, headers: { ...own, ...headers } })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  /** The error code, or undefined if there was no error. */
  static code({ body }: Answer<unknown>): string | undefined {
    return (body as { error?: { code: string } }).error?.code
  }

  #keep(line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (name === undefined || value === undefined) return
    if (value === '') this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

/** A path of the console API. */
export function at(organization: string, path = ''): string {
  return `/organizations/${organization}${path}`
}

export function codes(answers: readonly Answer[]): (string | undefined)[] {
  return answers.map((answer) => Visitor.code(answer))
}
