// An OpenID Connect provider for tests: it knows one person at a time and signs its tokens. A test can make it lie.

import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Claims {
  sub: string
  email: string
  email_verified: boolean
  name: string
}

export class StandInProvider implements AsyncDisposable {
  readonly issuer: string
  readonly clientId = 'hearth'
  readonly clientSecret = 'provider-secret'
  /** Overrides claims in the next token. */
  lies: Record<string, unknown> = {}
  /** Makes another token than one that it signs. */
  forge: ((claims: object) => string) | undefined
  /** What its metadata says of itself. */
  metadata: Record<string, unknown> = {}
  readonly #server: Server
  readonly #key = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  readonly #codes = new Map<string, { claims: Claims; nonce: string | null; challenge: string | null }>()

  static async start(): Promise<StandInProvider> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new StandInProvider(server)
  }

  constructor(server: Server) {
    this.#server = server
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => void this.#serve(request, response))
  }

  /** The person agrees on the provider's page. Returns the query that the browser comes back with. */
  approve(url: string, claims: Claims): string {
    const asked = new URL(url).searchParams
    const code = randomUUID()
    this.#codes.set(code, { claims, nonce: asked.get('nonce'), challenge: asked.get('code_challenge') })
    return `?${new URLSearchParams({ code, state: asked.get('state') ?? '', iss: this.issuer }).toString()}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = this.#answer(request.url ?? '', new URLSearchParams(await text(request)))
    response.writeHead(answer ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  }

  #answer(path: string, body: URLSearchParams): object | undefined {
    if (path === '/.well-known/openid-configuration') return this.#discovery()
    if (path === '/jwks')
      return { keys: [{ ...this.#key.publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256' }] }
    return path === '/token' ? this.#token(body) : undefined
  }

  #discovery() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    }
  }

  #token(body: URLSearchParams): object | undefined {
    const code = body.get('code') ?? ''
    const known = this.#codes.get(code)
    this.#codes.delete(code)
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (!known || known.challenge !== verifier) return undefined
    const now = Math.floor(Date.now() / 1_000)
    const standard = { iss: this.issuer, aud: this.clientId, iat: now, exp: now + 300, nonce: known.nonce ?? undefined }
    const claims = { ...standard, ...known.claims, ...this.lies }
    const idToken = this.forge?.(claims) ?? this.#sign(claims)
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: idToken }
  }

  #sign(claims: object): string {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const content = `${encode({ alg: 'RS256', kid: '1', typ: 'JWT' })}.${encode(claims)}`
    return `${content}.${createSign('sha256').update(content).sign(this.#key.privateKey, 'base64url')}`
  }
}
