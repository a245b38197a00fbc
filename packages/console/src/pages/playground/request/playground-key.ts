// The playground's temporary API key. It lives in memory only and is renewed shortly before it expires.

import { ApiFailure, type Schemas } from '../../../api/client.ts'
import { organizationApi } from '../../../api/organization-api.ts'

/** Renewing early keeps the key from expiring right after a call starts. */
const RENEW_BEFORE_MS = 60_000

export class PlaygroundKey {
  readonly #organization: string
  #key: { secret: string; endsAt: number } | undefined

  constructor(organization: string) {
    this.#organization = organization
  }

  /** Runs the call with the key, and once more with a new one if the gateway no longer accepts it. */
  async use(call: (secret: string) => Promise<Response>): Promise<Response> {
    const isOld = this.#key !== undefined
    const response = await call(await this.#secret())
    if (response.ok) return response
    const failure = await readFailure(response)
    if (failure.code !== 'invalid_api_key') throw failure
    this.#key = undefined
    if (!isOld) throw failure
    return this.use(call)
  }

  forget(): void {
    this.#key = undefined
  }

  async #secret(): Promise<string> {
    if (this.#key === undefined || this.#key.endsAt - RENEW_BEFORE_MS < Date.now()) this.#key = await this.#make()
    return this.#key.secret
  }

  async #make() {
    const made = await organizationApi(this.#organization).post('/playground-key')
    return { secret: made.secret, endsAt: Date.parse(made.expiresAt) }
  }
}

async function readFailure(response: Response): Promise<ApiFailure> {
  try {
    const { error } = (await response.json()) as Schemas['Error']
    return new ApiFailure(response.status, error)
  } catch {
    const message = `The gateway returned status ${response.status} without a readable error.`
    return new ApiFailure(response.status, { code: 'unknown', message, param: null })
  }
}
