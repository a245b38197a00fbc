// Tells one device the defaults of its models: when it greets, when it announces models, and when they change. It sends only what is new.

import type { GatewayFrame, ModelDefaults } from '@hearth/protocol'

export interface DefaultsSource {
  /** Undefined if there are none. The same object until they change. */
  defaultsOf(organization: string, model: string): ModelDefaults | undefined
  /** Models whose chat template was replaced. A device may not be able to load one of them without it, let alone announce it. */
  templatedModels(organization: string): readonly string[]
}

export class DefaultsSender {
  readonly #source: DefaultsSource
  readonly #organization: string
  readonly #send: (frame: GatewayFrame) => void
  /** Most organizations have no defaults. */
  #sent: Map<string, ModelDefaults> | undefined

  constructor(source: DefaultsSource, organization: string, send: (frame: GatewayFrame) => void) {
    this.#source = source
    this.#organization = organization
    this.#send = send
  }

  tell(announced: readonly { name: string }[]): void {
    for (const { name } of announced) this.#update(name)
    const others = [...this.#source.templatedModels(this.#organization), ...(this.#sent?.keys() ?? [])]
    for (const model of others) this.#update(model)
  }

  #update(model: string): void {
    const defaults = this.#source.defaultsOf(this.#organization, model)
    if (defaults === this.#sent?.get(model)) return
    this.#sent ??= new Map()
    if (defaults === undefined) this.#sent.delete(model)
    else this.#sent.set(model, defaults)
    this.#send({ type: 'defaults', model, defaults: defaults ?? {} })
  }
}
