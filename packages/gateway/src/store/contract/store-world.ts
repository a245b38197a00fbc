// What the contract's tests stand on: a store with one organization and its owner, new for every test.

import { randomUUID } from 'node:crypto'
import type { Member, NewKey, Organization, Store } from '../store.ts'

export const HOUR = new Date('2026-11-15T09:00:00.000Z')
export const NOW = new Date('2026-11-15T10:00:00.000Z')
export const LATER = new Date('2026-11-15T11:00:00.000Z')

export class StoreWorld {
  store!: Store
  acme!: Organization
  owner!: Member

  async renew(): Promise<void> {
    const owner = { email: `${randomUUID()}@acme.test`, name: 'Ann' }
    this.acme = await this.store.createOrganization({ name: 'Acme', owner })
    this.owner = (await this.store.listMembers(this.acme.id))[0]!
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

  /** Names of the revisions that `change` moves. */
  async moved(change: () => Promise<unknown>): Promise<string[]> {
    const before = await this.store.revisions()
    await change()
    const after = await this.store.revisions()
    return (['keys', 'models', 'devices'] as const).filter((name) => after[name] > before[name])
  }
}
