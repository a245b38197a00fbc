// Carries what the roles of the gateways say to each other: by a call inside this gateway, over a peer link to another one.

import type { Message } from '../terms/messages.ts'
import type { PeerLinks } from '../peers/links/peer-links.ts'

export class Post {
  readonly #self: string
  readonly #links: PeerLinks<Message> | undefined
  #take: (from: string, message: Message) => void = () => undefined

  /** Without links, there is nobody else. */
  constructor(self: string, links: PeerLinks<Message> | undefined) {
    this.#self = self
    this.#links = links
  }

  /** `take` gets what is for this gateway. Call it before the first message. */
  listen(take: (from: string, message: Message) => void): void {
    this.#take = take
  }

  send(to: string, message: Message): void {
    if (to === this.#self) this.#take(to, message)
    else this.#links?.send(to, message)
  }

  isReachable(gateway: string): boolean {
    return gateway === this.#self || this.#links?.isUp(gateway) === true
  }
}
