// Behavior of every store.

import { afterAll, beforeEach, describe } from 'vitest'
import { describeAccessChanges } from './contract/access-changes.contract.ts'
import { describeAnnouncements } from './contract/announcements.contract.ts'
import { describeDeletion } from './contract/deletion.contract.ts'
import { describeDevices } from './contract/devices.contract.ts'
import { describeKeyChanges } from './contract/key-changes.contract.ts'
import { describeKeys } from './contract/keys.contract.ts'
import { describeJoining } from './contract/joining.contract.ts'
import { describeMembers } from './contract/members.contract.ts'
import { describeModels } from './contract/models.contract.ts'
import { describePeople } from './contract/people.contract.ts'
import { describeRecords } from './contract/records.contract.ts'
import { describePeers } from './contract/peers.contract.ts'
import { describeRequests } from './contract/requests.contract.ts'
import { describeRevisions } from './contract/revisions.contract.ts'
import { describeSealing } from './contract/sealing.contract.ts'
import { describeSeparation } from './contract/separation.contract.ts'
import { StoreWorld } from './contract/store-world.ts'
import { describeUsage } from './contract/usage.contract.ts'
import type { Store } from './store.ts'

export function describeStore(store: Store): void {
  describe('store', () => {
    const world = new StoreWorld(store)

    afterAll(() => store.close())
    beforeEach(() => world.renew())

    describeMembers(world)
    describeDeletion(world)
    describeKeys(world)
    describeKeyChanges(world)
    describeModels(world)
    describeDevices(world)
    describeUsage(world)
    describeRequests(world)
    describeRevisions(world)
    describeAccessChanges(world)
    describeAnnouncements(world)
    describeSeparation(world)
    describeSealing(world)
    describePeople(world)
    describeJoining(world)
    describeRecords(world)
    describePeers(world)
  })
}
