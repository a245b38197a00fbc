// Gateways, devices and clients on one virtual clock. `lone-world.ts` has one gateway and `shared-world.ts` several.

import type { JobAttempt } from '@hearth/protocol'
import type { JobRecord, Ticket } from '../fleet.ts'
import type { FleetLimits, Roles } from '../roles.ts'
import type { Account } from './account/account.ts'
import type { KnownAttempt } from './account/known-attempt.ts'
import type { Attempt } from './actors/attempt.ts'
import { Client } from './actors/client.ts'
import type { Device } from './actors/device.ts'
import type { Fate } from './actors/fate.ts'
import type { Fault, Gateway } from './actors/simulated-gateway.ts'
import type { Random } from './random.ts'
import type { Wish } from './actors/request.ts'
import { VirtualClock } from './virtual-clock.ts'

export abstract class World {
  readonly clock = new VirtualClock()
  readonly random: Random
  readonly limits: FleetLimits
  readonly fault: Fault
  /** Gateways that are not dead. */
  readonly alive: Gateway[] = []
  readonly devices = new Map<string, Device>()
  /** Those whose job is not over. */
  readonly clients = new Map<string, Client>()
  readonly outcomes = new Map<string, number>()
  /** Only where everything follows at once. */
  abstract readonly account: Account | undefined
  readonly isOrderly: boolean = false
  /** From now on nothing goes wrong. */
  isCalm = false
  submitted = 0
  delivered = 0
  hash = 0x811c9dc5

  constructor(random: Random, limits: FleetLimits, fault: Fault) {
    this.random = random
    this.limits = limits
    this.fault = fault
  }

  abstract watch(roles: Roles): void
  abstract fate(): Fate
  abstract started(device: Device, of: JobAttempt, what: string): KnownAttempt | undefined
  abstract linkLost(device: Device): void
  abstract past(attempt: Attempt): void

  submit(gateway: Gateway, ticket: Omit<Ticket, 'job'>, wish: Wish): Client {
    const job = `job-${(this.submitted += 1)}`
    const client = new Client(this, gateway, { ...ticket, job }, wish)
    this.clients.set(job, client)
    this.say(`${job} comes in at ${gateway.name}`)
    client.submit()
    return client
  }

  recorded(record: JobRecord): void {
    this.clients.get(record.ticket.job)?.recorded(record)
    this.account?.recorded(record)
  }

  ended({ ticket }: Client, how: string): void {
    this.say(`${ticket.job}: ${how}`)
    this.outcomes.set(how, (this.outcomes.get(how) ?? 0) + 1)
    this.clients.delete(ticket.job)
  }

  /** For the report of a broken promise. */
  say(_what: string): void {}

  mix(value: number): void {
    this.hash = Math.imul(this.hash ^ value, 0x01000193) >>> 0
  }
}
