// The login that links use. It is read again before every dial, so that a new one takes effect without a restart.

export interface Identity {
  gateway: URL
  credential: string
  /** Jobs of any other organization are rejected. */
  organization: string
}

export class Login {
  readonly #read: () => Identity
  /** Of the current link. */
  #used: Identity | undefined
  #hurry = new AbortController()

  /** `read` throws CommandError if this machine is not logged in. */
  constructor(read: () => Identity) {
    this.#read = read
  }

  get organization(): string {
    return this.#used?.organization ?? ''
  }

  get gateway(): string {
    return this.#used?.gateway.href ?? ''
  }

  /** Aborted when a new login makes further waiting pointless. */
  get hurry(): AbortSignal {
    return this.#hurry.signal
  }

  use(): Identity {
    this.#used = this.#read()
    return this.#used
  }

  /** Ends the wait before the next dial. Returns whether the current link has another login. */
  renew(): boolean {
    this.#hurry.abort()
    this.#hurry = new AbortController()
    try {
      return this.#read().credential !== this.#used?.credential
    } catch {
      // If the login was deleted, keep the current link; the next dial will fail and say so.
      return false
    }
  }
}
