// The fixture of the store's tests: a store in PostgreSQL, and for every test a new organization with its owner.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach } from 'vitest'
import { startPostgres } from './start-postgres.ts'
import type { Actor, AuditEntry } from '../store/audit.ts'
import type { NewKey } from '../store/keys/keys.ts'
import type { Member } from '../store/people/member-rows.ts'
import type { Organization } from '../store/people/organization-rows.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { Role } from '../store/tables/people.ts'
import type { RequestRow } from '../store/usage/requests.ts'
import type { UsageRow } from '../store/usage/usage-addition.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The database compares some times with its own clock, and none of these may have passed. */
const TOMORROW = Math.ceil(Date.now() / DAY_MS) * DAY_MS

export const HOUR = new Date(TOMORROW + 9 * HOUR_MS)
export const NOW = new Date(TOMORROW + 10 * HOUR_MS)
export const LATER = new Date(TOMORROW + 11 * HOUR_MS)

/** The store compares some times with its own clock, so this must not come while anyone runs the tests. */
export const FAR_AWAY = new Date('2999-01-01T00:00:00.000Z')
export const LONG_AGO = new Date('2020-01-01T00:00:00.000Z')

/** A ring of requests that a test can fill. */
export const KEPT_REQUESTS = 4_000

export class StoreWorld {
  readonly store: Store
  acme!: Organization
  owner!: Member

  constructor(store: Store) {
    this.store = store
  }

  async renew(): Promise<void> {
    const owner = { email: `${randomUUID()}@acme.test`, name: 'Ann' }
    this.acme = await this.store.createOrganization({ name: 'Acme', owner })
    this.owner = (await this.store.listMembers(this.acme.id))[0]!
  }

  get scope(): { organization: string } {
    return { organization: this.acme.id }
  }

  /** Adds a member with this role to acme. */
  add(role: Role): Promise<Member> {
    const email = `${randomUUID()}@acme.test`
    return this.store.addMember({ ...this.scope, email, name: 'Bo', role })
  }

  actor({ person, name }: Member): Actor {
    return { kind: 'person', id: person, name, address: '192.0.2.1' }
  }

  newKey(more: Partial<NewKey> = {}): NewKey {
    const name = { name: 'laptop', digest: randomUUID(), hint: 'wxyz' }
    return { ...this.scope, createdBy: this.owner.person, ...name, ...more }
  }

  usage(more: Partial<UsageRow> = {}): UsageRow {
    const counters = { requests: 1, errors: 0, promptTokens: 10, completionTokens: 5, waitMs: 7, busyMs: 0 }
    return { hour: HOUR, ...this.scope, key: 'k', model: 'm', device: 'd', ...counters, ...more }
  }

  /** That was answered. */
  request(name: string, more: Partial<RequestRow> = {}): RequestRow {
    const scope = { at: NOW, request: name, ...this.scope, key: 'k', model: 'm', device: 'd', code: '' }
    const times = { waitMs: 1, firstTokenMs: 2, totalMs: 3, attempts: 1 }
    const kind = { isStream: true, isSealed: false, takeOver: undefined }
    return { ...scope, promptTokens: 4, completionTokens: 5, ...times, ...kind, ...more }
  }

  /** The newest entries of the audit log. */
  audit(limit = 100): Promise<AuditEntry[]> {
    return this.store.listAudit({ ...this.scope, limit })
  }

  async actions(limit?: number): Promise<string[]> {
    return (await this.audit(limit)).map(({ action }) => action)
  }

  async isUsable(digest: string): Promise<boolean> {
    return (await this.store.accessKeys()).some((key) => key.digest === digest)
  }

  /** The digest of a new token, with which a device joins. */
  async token(more: { createdBy?: string } = {}): Promise<string> {
    const digest = randomUUID()
    await this.store.createEnrolment({ ...this.scope, digest, expiresAt: LATER, ...more })
    return digest
  }

  async enrol(name: string, credentialDigest: string = randomUUID()): Promise<string> {
    const digest = await this.token()
    return (await this.store.redeemEnrolment({ digest, name, credentialDigest, at: NOW }))!.id
  }

  /** A key, a device, a model, and usage of them. */
  async fill(): Promise<{ key: string }> {
    const { id: key } = await this.store.createKey(this.newKey())
    const device = await this.enrol('studio')
    await this.store.enableModel({ ...this.scope, name: 'm' })
    const row = this.usage({ key, device })
    const codes = [{ ...row, code: 'invalid_json', requests: 1 }]
    await this.store.addUsage([row], undefined, { codes, requests: [this.request('r', { key, device })] })
    return { key }
  }

  /** Names of the revisions that `change` increases. */
  async increased(change: () => Promise<unknown>): Promise<string[]> {
    const before = await this.store.revisions()
    await change()
    const after = await this.store.revisions()
    return (['keys', 'models', 'devices'] as const).filter((name) => after[name] > before[name])
  }
}

export const postgres = await startPostgres()
export const store = await openStore(await postgres.createDatabase(), { keptRequests: KEPT_REQUESTS })
export const world = new StoreWorld(store)

beforeEach(() => world.renew())
afterAll(async () => {
  await store.close()
  await postgres.stop()
})
