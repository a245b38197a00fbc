// The key of the playground: made for this page, kept in its memory, and made anew shortly before it ends.

import { api, ApiFailure, send, type Shapes } from '../../api/client.ts'

/** A call that begins with the key shall not meet its end at once. */
const SPARE_MS = 60_000

export class PlaygroundKey {
  readonly #organization: string
  #key: { secret: string; endsAt: number } | undefined

  constructor(organization: string) {
    this.#organization = organization
  }

  /** Calls with the key; once more with a new one when the gateway does not know it any more. */
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

  async #secret(): Promise<string> {
    if (this.#key === undefined || this.#key.endsAt - SPARE_MS < Date.now()) this.#key = await this.#make()
    return this.#key.secret
  }

  async #make() {
    const path = { organization: this.#organization }
    const made = await send(api.POST('/organizations/{organization}/playground-key', { params: { path } }))
    return { secret: made.secret, endsAt: Date.parse(made.expiresAt) }
  }
}

async function readFailure(response: Response): Promise<ApiFailure> {
  try {
    const { error } = (await response.json()) as Shapes['Error']
    return new ApiFailure(response.status, error)
  } catch {
    const message = `The gateway answered with status ${response.status}, and nothing that can be read`
    return new ApiFailure(response.status, { code: 'unknown', message, param: null })
  }
}
