import { describeFleet } from './fleet.contract.ts'
import { openGateways, openLone } from './testing/open-gateways.ts'

describeFleet('one gateway', openLone)
for (const count of [2, 3])
  describeFleet(`${count} gateways that share their devices`, (setup) => openGateways(setup, count).fleets)
