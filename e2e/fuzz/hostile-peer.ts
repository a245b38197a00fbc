// Somebody with the password of the message bus, who opens a peer link to the gateway and says anything.

import { connectNats, echo, openPeerLinks } from '@hearth/gateway/testing'
import { MESSAGES_VERSION } from '../../packages/gateway/src/fleet/terms/messages.ts'
import { fillIn, type BusInput, type BusStep, type Placeholder } from './input.ts'

type Values = Readonly<Partial<Record<Placeholder, string>>>

export class HostilePeer implements AsyncDisposable {
  readonly #bus: Awaited<ReturnType<typeof connectNats>>
  readonly #links: ReturnType<typeof openPeerLinks<unknown>>
  readonly #values: Values

  private constructor(bus: Awaited<ReturnType<typeof connectNats>>, values: Values) {
    this.#bus = bus
    this.#values = values
    this.#links = openPeerLinks<unknown>({ bus, self: 'hostile', version: MESSAGES_VERSION, onFault: () => {} })
    this.#links.listen({ up: () => {}, down: () => {}, message: () => {} })
    this.#links.expect([values.GATEWAY ?? ''])
  }

  static async connect(url: string, values: Values): Promise<HostilePeer> {
    return new HostilePeer(await connectNats(url, { name: 'hostile', onFault: () => {} }), values)
  }

  /** Resolves when the bus has taken everything. */
  async send({ steps }: BusInput): Promise<void> {
    for (const step of steps) this.#take(step)
    await echo(this.#bus)
  }

  #take(step: BusStep): void {
    const gateway = this.#values.GATEWAY ?? ''
    if (step.do === 'say') return this.#links.send(gateway, JSON.parse(fillIn(step.text, this.#values)))
    this.#bus.publish(fillIn(step.subject, this.#values), Buffer.from(step.bytes, 'latin1'))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#links.close()
    await this.#bus.close()
  }
}
