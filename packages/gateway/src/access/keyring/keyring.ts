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

export class Keyring {
  readonly #options: KeyringOptions
  #keys: readonly SealingKey[]
  #current: SealingKey

  constructor(options: KeyringOptions) {
    this.#options = options
    this.#current = options.current
    this.#keys = readKeys(options.source)
  }

  seal(place: string, text: string): string {
    return this.#current.seal(place, text)
  }

  async open(place: string, sealed: string): Promise<string> {
    const id = keyIdOf(sealed)
    if (!this.#knows(id)) await this.readAgain(id)
    const text = this.#keys.find((key) => key.id === id)?.open(place, sealed)
    if (text !== undefined) return text
    throw new SecretKeyError(`Cannot open ${place}: the stored text is damaged`)
  }

  /** Afterwards, `seal` uses the key that the database names. Throws if it isn't here, or if `id` isn't. */
  async readAgain(id?: string): Promise<void> {
    const { store, source } = this.#options
    this.#keys = readKeys(source)
    const used = keyIdOf((await store.readGatewaySecret(SESSION_SECRET)) ?? '')
    this.#current = this.#keys.find((key) => key.id === used) ?? this.#reject(used)
    if (id !== undefined && !this.#knows(id)) this.#reject(id)
  }

  #knows(id: string | undefined): boolean {
    return this.#keys.some((key) => key.id === id)
  }

  #reject(id: string | undefined): never {
    const text = describeOtherKey(this.#options.source, id ?? 'unknown')
    this.#options.onOtherKey(text)
    throw new SecretKeyError(text)
  }
}
