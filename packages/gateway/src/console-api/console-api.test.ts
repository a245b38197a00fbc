// Behavior of the console API over HTTP.

import { afterAll, beforeAll, describe } from 'vitest'
import { ConsoleFixture } from '../testing/console-fixture.ts'
import { usePostgres } from '../testing/use-postgres.ts'
import { describeDeletion } from './contract/deletion.contract.ts'
import { describeDevicesAndDefaults } from './contract/devices-and-defaults.contract.ts'
import { describeMembers } from './contract/members.contract.ts'
import { describeModelDownloads } from './contract/model-downloads.contract.ts'
import { describePolicy } from './contract/policy.contract.ts'
import { describeResources } from './contract/resources.contract.ts'
import { describeSealing } from './contract/sealing.contract.ts'
import { describeSignIn } from './contract/sign-in.contract.ts'
import { describeUsageApi } from './contract/usage.contract.ts'

const postgres = usePostgres()

describe('console API', () => {
  const fixture = new ConsoleFixture()

  beforeAll(async () => {
    await fixture.open(await postgres.createDatabase())
  })
  afterAll(async () => {
    await fixture.world.close()
  })

  describeSignIn(fixture)
  describePolicy(fixture)
  describeMembers(fixture)
  describeDeletion(fixture)
  describeResources(fixture)
  describeModelDownloads(fixture)
  describeDevicesAndDefaults(fixture)
  describeSealing(fixture)
  describeUsageApi(fixture)
})
