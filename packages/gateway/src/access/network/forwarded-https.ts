// Whether a client reached the gateway over HTTPS although the connection to the gateway itself is plain: a proxy in front ended the
// encryption. Proxies say so in headers, and so do browsers in the origin of a request. Anyone can send these headers, so they may only make
// things stricter: secure cookies, https:// in links. At worst, a false header makes a link or a cookie useless for its sender.

export type ReadHeader = (name: string) => string | undefined

export function isForwardedHttps(read: ReadHeader): boolean {
  const schemes = `${read('x-forwarded-proto') ?? ''},${read('x-forwarded-scheme') ?? ''}`.toLowerCase().split(',')
  return (
    schemes.some((scheme) => scheme.trim() === 'https') ||
    /(^|[;,\s])proto="?https"?($|[;,\s])/i.test(read('forwarded') ?? '') ||
    [read('x-forwarded-ssl'), read('front-end-https')].some((value) => value?.toLowerCase() === 'on') ||
    isOwnHttpsOrigin(read('origin'), read('host'))
  )
}

/** The URL that links begin with, without a path: the configured one, or the one this request was sent to. */
export function linkBase(publicUrl: string, read: ReadHeader): string {
  if (publicUrl !== '') return publicUrl
  const scheme = isForwardedHttps(read) ? 'https' : 'http'
  // Parsed, because people paste these links into a shell.
  return URL.parse(`${scheme}://${read('host') ?? ''}`)?.origin ?? `${scheme}://localhost`
}

/** Calls back once, when the first request shows that `PUBLIC_URL` should begin with https:// and doesn't. */
export class HttpsNotice {
  #isDue: boolean
  readonly #onSeen: () => void

  constructor(publicUrl: string, onSeen: () => void) {
    this.#isDue = !publicUrl.startsWith('https://')
    this.#onSeen = onSeen
  }

  look(read: ReadHeader): void {
    if (!this.#isDue || !isForwardedHttps(read)) return
    this.#isDue = false
    this.#onSeen()
  }
}

function isOwnHttpsOrigin(origin: string | undefined, host: string | undefined): boolean {
  const url = origin === undefined ? null : URL.parse(origin)
  return url?.protocol === 'https:' && url.host === host?.toLowerCase().replace(/:443$/, '')
}
