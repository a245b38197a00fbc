// Behavior of every fleet, whether its devices are connected to one gateway or to several.

import { describe } from 'vitest'
import type { OpenGateways } from '../testing/fleet-world.ts'
import { describeAdministration } from './contract/administration.contract.ts'
import { describeDraining } from './contract/draining.contract.ts'
import { describeJobs } from './contract/jobs.contract.ts'
import { describeLinks } from './contract/links.contract.ts'
import { describeModelRequests } from './contract/model-requests.contract.ts'
import { describeRecovery } from './contract/recovery.contract.ts'
import { describeView } from './contract/view.contract.ts'

export function describeFleet(name: string, openGateways: OpenGateways): void {
  describe(`fleet of ${name}`, () => {
    describeJobs(openGateways)
    describeLinks(openGateways)
    describeRecovery(openGateways)
    describeAdministration(openGateways)
    describeView(openGateways)
    describeModelRequests(openGateways)
    describeDraining(openGateways)
  })
}
