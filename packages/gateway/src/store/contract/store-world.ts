// The fixture of the store's contract tests: a store, and for every test a new organization with its owner.

import { randomUUID } from 'node:crypto'
import type { Actor } from '../audit.ts'
import type { NewKey } from '../keys/keys.ts'
import type { Member } from '../people/member-rows.ts'
import type { Organization } from '../people/organization-rows.ts'
import type { Store } from '../store.ts'
import type { Role } from '../tables/people.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The database compares some times with its own clock, and none of these may have passed. */
const TOMORROW = Math.ceil(Date.now() / DAY_MS) * DAY_MS

export const HOUR = new Date(TOMORROW + 9 * HOUR_MS)
export const NOW = new Date(TOMORROW + 10 * HOUR_MS)
export const LATER = new Date(TOMORROW + 11 * HOUR_MS)

export class StoreWorld {
  store!: Store
  acme!: Organization
  owner!: Member

  async renew(): Promise<void> {
    const owner = { email: `${randomUUID()}@acme.test`, name: 'Ann' }
    this.acme = await this.store.createOrganization({ name: 'Acme', owner })
    this.owner = (await this.store.listMembers(this.acme.id))[0]!
  }

  /** Adds a member with this role to acme. */
  add(role: Role): Promise<Member> {
    const email = `${randomUUID()}@acme.test`
    return this.store.addMember({ organization: this.acme.id, email, name: 'Bo', role })
  }

  actor({ person, name }: Member): Actor {
    return { kind: 'person', id: person, name, address: '192.0.2.1' }
  }

  newKey(more: Partial<NewKey> = {}): NewKey {
    const name = { name: 'laptop', digest: randomUUID(), hint: 'wxyz' }
    return { organization: this.acme.id, createdBy: this.owner.person, ...name, ...more }
  }

  async isUsable(digest: string): Promise<boolean> {
    return (await this.store.accessKeys()).some((key) => key.digest === digest)
  }

  async enrol(name: string, credentialDigest: string = randomUUID()): Promise<string> {
    const digest = randomUUID()
    await this.store.createEnrolment({ organization: this.acme.id, digest, expiresAt: LATER })
    return (await this.store.redeemEnrolment({ digest, name, credentialDigest, at: NOW }))!.id
  }

  /** Names of the revisions that `change` increases. */
  async increased(change: () => Promise<unknown>): Promise<string[]> {
    const before = await this.store.revisions()
    await change()
    const after = await this.store.revisions()
    return (['keys', 'models', 'devices'] as const).filter((name) => after[name] > before[name])
  }
}
