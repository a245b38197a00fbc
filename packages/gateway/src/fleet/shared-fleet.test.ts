import { describeFleet } from './fleet.contract.ts'
import { openGateways } from './testing/open-gateways.ts'

for (const count of [1, 2, 3])
  describeFleet(`${count} gateways that share their devices`, (setup) => openGateways(setup, count).fleets)
