// The parts of a gateway that live as long as it does, opened and closed in order.

import { type ReadLimits, Heartbeats } from '@hearth/chat'
import type { AccessBook } from '../access/book/access-book.ts'
import { keySource } from '../access/keyring/key-source.ts'
import { openKeyring } from '../access/keyring/open-keyring.ts'
import { GuessLimiter } from '../access/limits/guess-limiter.ts'
import { LargeRequests } from '../chat/large-requests.ts'
import type { Config } from '../config.ts'
import { handOutPrograms, type HandedOutPrograms } from '../device-app/handed-out-program.ts'
import type { NotedEvent } from '../console-api/console.ts'
import { openConsole, type OpenConsole } from '../console-api/open-console.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Log } from '../observe/log.ts'
import type { Store } from '../store/store.ts'
import { openBase, type Base } from './base.ts'
import { fleetOptions } from './fleet-options.ts'
import { noteAccountEvent, openMeters, type Meters } from './meters.ts'
import { applyAccess, openBook } from './open-book.ts'
import { openFleet } from './open-fleet.ts'

export interface Parts extends Base, Meters {
  fleet: Fleet
  leaveFleet: () => Promise<void>
  book: AccessBook
  guessLimiter: GuessLimiter
  heartbeats: Heartbeats
  limits: ReadLimits
  largeRequests: LargeRequests
  consoleApi: OpenConsole
  programs: HandedOutPrograms
}

export async function openParts(config: Config, store: Store, log: Log): Promise<Parts> {
  const base = openBase(config, store, log)
  // First: a gateway with another key must not join the others.
  const source = keySource(config.DATABASE_URL, config.SESSION_SECRET)
  const secrets = await openKeyring({ store, source, onWarning: (text) => log.warn(text) })
  const meters = await openMeters(config, base)
  const book = openBook(config, base, meters)
  const options = fleetOptions(config, base, meters, book)
  const { fleet, leave: leaveFleet } = await openFleet({ config, store, log, ...meters, options })
  applyAccess(book, fleet, meters.limiter)
  const guessLimiter = new GuessLimiter(undefined, () => meters.metrics.accountEvent('too-many-attempts'))
  const programs = handOutPrograms()
  const onAccountEvent = (noted: NotedEvent) => noteAccountEvent(noted, base, meters)
  const given = { ...base, ...meters, fleet, book, guessLimiter, sealProgram: programs.seal, onAccountEvent }
  const consoleApi = await openConsole(config, secrets, given)
  meters.ledger.onWritten((organization) => consoleApi.feed.announce(organization, 'usage'))
  const limits = { maxMessages: config.MAX_MESSAGES, maxTools: config.MAX_TOOLS }
  const largeRequests = new LargeRequests({ limits, maxBodyBytes: config.MAX_BODY_BYTES })
  const heartbeats = new Heartbeats(config.HEARTBEAT_MS)
  return {
    ...base,
    ...meters,
    fleet,
    leaveFleet,
    book,
    guessLimiter,
    heartbeats,
    limits,
    largeRequests,
    consoleApi,
    programs,
  }
}

/** Finishes running jobs first. The ledger stays open: requests that are rejected meanwhile still count. */
export async function closeParts(config: Config, parts: Parts, hasSuccessor: boolean): Promise<void> {
  const { closing, fleet, leaveFleet, heartbeats, largeRequests, consoleApi, sightings, health, book, traces } = parts
  closing.abort()
  await fleet.drain(config.DRAIN_MS, hasSuccessor)
  await leaveFleet()
  heartbeats.close()
  await largeRequests.close()
  consoleApi.feed.close()
  await sightings.close()
  health.close()
  await book.close()
  await traces?.close()
}
