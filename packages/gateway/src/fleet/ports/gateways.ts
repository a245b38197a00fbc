// How the parts of gateways find each other. Parts of this gateway are the objects themselves, so a call is a call. For
// another gateway there are proxies, which turn each call into a message on the peer link.

import { forgetOldest } from '../../forget-oldest.ts'
import type { Peers } from '../peers/peers.ts'
import { MOST_PEERS, type PeerLinks } from '../peers/links/peer-links.ts'
import type { Message } from '../terms/messages.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { remoteGateway } from './remote-gateway.ts'
import type { SchedulerPort } from './scheduler-port.ts'

/** What parts know of gateways. */
export interface Gateways {
  readonly self: string
  of(gateway: string): GatewayParts
  /** Undefined while there are no peers: everything is said again when there are. */
  schedulerOf(organization: string): SchedulerPort | undefined
  /** A gateway that was away may still believe that it schedules the organization. */
  isSchedulerOf(organization: string, gateway: string): boolean
  isReachable(gateway: string): boolean
}

export class ConnectedGateways implements Gateways {
  readonly self: string
  readonly #peers: Peers
  readonly #links: PeerLinks<Message> | undefined
  readonly #remote = new Map<string, GatewayParts>()
  #own: GatewayParts | undefined

  constructor(peers: Peers, links: PeerLinks<Message> | undefined) {
    this.self = peers.self
    this.#peers = peers
    this.#links = links
  }

  /** The parts of this gateway, which need the others to be made. */
  open(own: GatewayParts): void {
    this.#own = own
  }

  of(gateway: string): GatewayParts {
    const own = gateway === this.self ? this.#own : undefined
    const known = own ?? this.#remote.get(gateway)
    if (known !== undefined) return known
    const remote = remoteGateway((message) => this.#links?.send(gateway, message))
    this.#remote.set(gateway, remote)
    // Names come from messages, which anybody could make up.
    forgetOldest(this.#remote, MOST_PEERS)
    return remote
  }

  schedulerOf(organization: string): SchedulerPort | undefined {
    const scheduler = this.#peers.view.schedulerOf(organization)
    return scheduler === undefined ? undefined : this.of(scheduler).schedulers
  }

  isSchedulerOf(organization: string, gateway: string): boolean {
    return this.#peers.view.schedulerOf(organization) === gateway
  }

  isReachable(gateway: string): boolean {
    return gateway === this.self || this.#links?.isUp(gateway) === true
  }
}
