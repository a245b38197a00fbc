// One gateway, and devices that everything reaches at once: so all that it decides can be compared with an account.

import type { JobAttempt } from '@hearth/protocol'
import type { JobRecord } from '../fleet.ts'
import { alone } from '../peers/alone.ts'
import type { FleetLimits, Roles } from '../roles.ts'
import { Account } from './account/account.ts'
import type { KnownAttempt } from './account/known-attempt.ts'
import { watch } from './account/watch.ts'
import type { Attempt } from './actors/attempt.ts'
import type { Device } from './actors/device.ts'
import { anyFate, goodFate, type Fate } from './actors/fate.ts'
import { Gateway, type Fault } from './actors/simulated-gateway.ts'
import { Link } from './actors/link.ts'
import { Process } from './actors/process.ts'
import type { Random } from './random.ts'
import { writeRequest } from './actors/request.ts'
import { World } from './world.ts'

/** Small, so that every limit is reached often. */
const LIMITS: FleetLimits = {
  waitMs: 12_000,
  patienceMs: 700,
  acceptMs: 400,
  hedgeMs: 80,
  firstEventMs: 3_000,
  gapMs: 1_500,
  totalMs: 9_000,
  returnMs: 600,
  cancelMs: 200,
  queuePerKey: 12,
  queuePerOrganization: 30,
  attempts: 3,
  crashes: 2,
  // Time passes fast here, and samples change no decision: a few are enough.
  sampleMs: 60_000,
}

const REMEMBERED_ATTEMPTS = 64
const BYTES_PER_MS = 128

export class LoneWorld extends World {
  readonly account: Account
  readonly gateway: Gateway
  /** The latest attempts that are over: anything about them comes too late. */
  readonly pastAttempts: Attempt[] = []
  readonly firstEvents: { expectedMs: number; actualMs: number }[] = []

  constructor(random: Random, fault: Fault = {}) {
    super(random, LIMITS, fault)
    this.account = new Account({
      limits: LIMITS,
      requestMs: writeRequest('small', { total: 0, hidden: 0, promptTokens: 0 }).length / BYTES_PER_MS,
      clock: this.clock,
      roles: () => this.gateway.roles,
      note: (value) => this.mix(value),
    })
    this.gateway = new Gateway(this, 'gateway', new Process(this.clock, { offsetMs: 0, speed: 1 }), alone())
  }

  watch(roles: Roles): void {
    watch(roles, this.account)
  }

  fate(): Fate {
    return this.isCalm ? goodFate(this.random) : anyFate(this.random, this.limits)
  }

  started(_device: Device, of: JobAttempt): KnownAttempt {
    return this.account.started(of)
  }

  past(attempt: Attempt): void {
    if (this.pastAttempts.length < REMEMBERED_ATTEMPTS) this.pastAttempts.push(attempt)
    else this.pastAttempts[this.random.between(0, REMEMBERED_ATTEMPTS - 1)] = attempt
  }

  override recorded(record: JobRecord): void {
    super.recorded(record)
    const { expectedMs, firstEventMs: actualMs } = record
    if (expectedMs !== undefined && actualMs !== undefined) this.firstEvents.push({ expectedMs, actualMs })
  }

  linkLost(): void {}

  /** Returns the link that it had before, which the gateway has closed by now. */
  linkUp(device: Device): Link | undefined {
    const old = device.link
    const link = new Link(device, this.gateway, this.clock, 0)
    device.relink(link)
    const { id, organization } = device
    this.gateway.accept(
      { id, organization, name: id },
      (accept) => link.accepted(accept),
      () => {},
    )
    this.account.settled()
    return old
  }

  linkDown(device: Device): void {
    const { link } = device
    link?.deviceNotices()
    link?.end()
    this.account.settled()
  }
}
