// What the gateway says about the seal, checked, per API key and model. Kept for a minute; requests that come together share one fetch.

import { fetchSealInformation, type FetchedSeal } from '../gateway/seal-api.ts'
import type { OnlineDevice } from '../gateway/seal-information.ts'
import type { Mismatch, Trusted } from '@hearth/command-line/trust/check-trust'
import type { SealInformation } from '../gateway/seal-information.ts'
import { answerUnreachable, doesNotFit, GatewayRejection } from './proxy-errors.ts'

export interface KnownSeal {
  trusted: Trusted
  /** Those that serve the model, most room first. */
  online: readonly OnlineDevice[]
  /** All that the gateway said. */
  fetched: FetchedSeal
}

export interface SealCacheOptions {
  gateway: URL
  check: (information: SealInformation) => Trusted | Mismatch
  fetch?: typeof fetchSealInformation
  now?: () => number
}

const KEEP_MS = 60_000
/** A client that asks for names of models without end must not fill our memory. */
const MAX_ENTRIES = 256

interface Entry {
  known: Promise<KnownSeal>
  until: number
}

export class SealCache {
  readonly #options: SealCacheOptions
  readonly #entries = new Map<string, Entry>()

  constructor(options: SealCacheOptions) {
    this.#options = options
  }

  /** Rejects with an ApiError or a GatewayRejection. Failures are not kept. */
  find(apiKey: string, model?: string): Promise<KnownSeal> {
    const now = this.#options.now?.() ?? Date.now()
    const name = JSON.stringify([apiKey, model])
    const entry = this.#entries.get(name)
    if (entry && now < entry.until) return entry.known
    const known = this.#fetch(apiKey, model, entry?.known)
    this.#entries.delete(name)
    this.#entries.set(name, { known, until: now + KEEP_MS })
    this.#forgetOldest()
    known.catch(() => {
      if (this.#entries.get(name)?.known === known) this.#entries.delete(name)
    })
    return known
  }

  async #fetch(apiKey: string, model: string | undefined, last?: Promise<KnownSeal>): Promise<KnownSeal> {
    const { gateway, check, fetch = fetchSealInformation } = this.#options
    // What failed isn't among the entries, unless it does so right now.
    const before = await last?.catch(() => undefined)
    const fetched = await fetch({ gateway, apiKey }, model, before?.fetched).catch(answerUnreachable)
    if (fetched.kind === 'rejected') throw new GatewayRejection(fetched)
    const checked = check(fetched.information)
    if (checked.kind === 'mismatch') throw doesNotFit(checked)
    return { trusted: checked, online: fetched.information.online, fetched }
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest)
  }
}
