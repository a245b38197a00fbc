// Behavior of the console API over HTTP, on every database.

import { afterAll, beforeAll, describe } from 'vitest'
import { ConsoleFixture } from '../testing/console-fixture.ts'
import { describeDevicesAndDefaults } from './devices-and-defaults.contract.ts'
import { describeMembers } from './members.contract.ts'
import { describePolicy } from './policy.contract.ts'
import { describeSignIn } from './sign-in.contract.ts'
import { describeModelDownloads } from './model-downloads.contract.ts'
import { describeResources } from './resources.contract.ts'
import { describeUsageApi } from './usage.contract.ts'

export function describeConsole(name: string, open: () => Promise<string>): void {
  describe(`console API on ${name}`, () => {
    const fixture = new ConsoleFixture()

    beforeAll(async () => {
      await fixture.open(await open())
    })
    afterAll(async () => {
      await fixture.world.close()
    })

    describeSignIn(fixture)
    describePolicy(fixture)
    describeMembers(fixture)
    describeResources(fixture)
    describeModelDownloads(fixture)
    describeDevicesAndDefaults(fixture)
    describeUsageApi(fixture)
  })
}
