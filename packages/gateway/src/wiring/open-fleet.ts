// Opens the fleet of this gateway: alone, or with the other gateways on the same NATS server and database.

import { shareLimits } from '../access/limits/shared-limits.ts'
import type { Spending } from '../access/limits/spending.ts'
import type { RateLimiter } from '../access/limits/rate-limit.ts'
import { connectNats } from '../bus/nats-bus.ts'
import { readNatsUrl } from '../bus/nats-url.ts'
import type { Bus } from '../bus/bus.ts'
import type { Config } from '../config.ts'
import { describeFault } from '../observe/describe-fault.ts'
import type { Log } from '../observe/log.ts'
import type { Store } from '../store/store.ts'
import { Fleet, type FleetOptions } from '../fleet/fleet.ts'
import { urgencyOf } from '../fleet/ports/urgency-of.ts'
import { MESSAGES_VERSION, type Message } from '../fleet/terms/messages.ts'
import { openPeerLinks } from '../fleet/peers/links/peer-links.ts'
import { alone } from '../fleet/peers/alone.ts'
import { newGatewayId } from '../fleet/terms/gateway-id.ts'
import { LivePeers } from '../fleet/peers/live-peers.ts'

export interface OpenFleet {
  config: Config
  store: Store
  log: Log
  /** Their counts are shared with the other gateways. */
  limiter: RateLimiter
  spending: Spending
  options: FleetOptions
}

export interface OpenedFleet {
  fleet: Fleet
  /** Closes the connection to the other gateways, after the fleet was drained. */
  leave: () => Promise<void>
}

export async function openFleet(parts: OpenFleet): Promise<OpenedFleet> {
  const { NATS_URL: url } = parts.config
  if (url !== '') return joinPeers(parts, await connect(url, parts.log))
  return { fleet: new Fleet(parts.options, alone()), leave: async () => undefined }
}

async function connect(url: string, log: Log): Promise<Bus> {
  return connectNats(url, {
    name: 'hearth-gateway',
    onFault: (error) => log.error({ where: 'bus', error: describeFault(error) }, 'internal error'),
    onTrouble: ({ message }) => log.warn({ error: message }, 'NATS cannot be reached; trying again'),
  })
}

function joinPeers({ config, store, log, limiter, spending, options }: OpenFleet, bus: Bus): OpenedFleet {
  const peers = new LivePeers({
    store,
    bus,
    version: MESSAGES_VERSION,
    graceMs: config.STORE_GRACE_S * 1_000,
    log,
    id: newGatewayId(readNatsUrl(config.NATS_URL).user),
  })
  const links = openPeerLinks<Message>({
    bus,
    self: peers.self,
    version: MESSAGES_VERSION,
    urgencyOf,
    onFault: (error) => log.error({ where: 'peer links', error: describeFault(error) }, 'internal error'),
  })
  const fleet = new Fleet(options, peers, links)
  const stopSharing = shareLimits({ limiter, bus, self: peers.self })
  const stopTelling = spending.share(bus)
  const leave = async () => {
    stopSharing()
    stopTelling()
    await bus.close()
  }
  return { fleet, leave }
}
