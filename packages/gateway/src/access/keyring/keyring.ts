// The keys of a running gateway. It learns of a rotation when it meets a text that was sealed with a key it does not know, or when the
// database rejects one that it sealed: then it reads its keys again.

import { SESSION_SECRET } from '../../store/people/stored-secrets.ts'
import type { Store } from '../../store/store.ts'
import { readKeys, type KeySource } from './key-source.ts'
import { describeOtherKey } from './other-key.ts'
import { keyIdOf, type SealingKey } from './seal.ts'
import { SecretKeyError } from './secret-key-error.ts'

export interface KeyringOptions {
  store: Pick<Store, 'readGatewaySecret'>
  source: KeySource
  /** In use now. */
  current: SealingKey
  /** The operator has to do something. */
  onOtherKey: (text: string) => void
}

const MOST_TRIES = 3

export class Keyring {
  readonly #options: KeyringOptions
  #keys: readonly SealingKey[]
  #current: SealingKey
  /** The key that the operator was last told about. */
  #told: string | undefined

  constructor(options: KeyringOptions) {
    this.#options = options
    this.#current = options.current
    this.#keys = readKeys(options.source)
  }

  seal(context: string, text: string): string {
    return this.#current.seal(context, text)
  }

  async open(context: string, sealed: string): Promise<string> {
    const id = keyIdOf(sealed)
    if (!this.#knows(id)) await this.readAgain(id)
    const text = this.#keys.find((key) => key.id === id)?.open(context, sealed)
    if (text !== undefined) return text
    throw new SecretKeyError(`Cannot open ${context}: the stored text is damaged`)
  }

  /** Afterwards, `seal` uses the key that the database names. Throws if it isn't here, or if `id` isn't. */
  async readAgain(id?: string): Promise<void> {
    let used: string | undefined
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      // In this order: a key is in the file before the database names it. Not after the next rotation, so look again.
      used = keyIdOf((await this.#options.store.readGatewaySecret(SESSION_SECRET)) ?? '')
      this.#keys = readKeys(this.#options.source)
      if (this.#knows(used)) break
    }
    this.#current = this.#keys.find((key) => key.id === used) ?? this.#reject(used)
    if (id !== undefined && !this.#knows(id)) this.#reject(id)
  }

  #knows(id: string | undefined): boolean {
    return this.#keys.some((key) => key.id === id)
  }

  #reject(id: string | undefined): never {
    const text = describeOtherKey(this.#options.source, id ?? 'unknown')
    if (id !== this.#told) this.#options.onOtherKey(text)
    this.#told = id
    throw new SecretKeyError(text)
  }
}
