import { countEpochs } from './count-epochs.ts'
import { describeFleet } from './fleet.contract.ts'
import { LocalFleet } from './local-fleet.ts'

describeFleet('one gateway', async ({ waitMs, ...listeners }) => [
  new LocalFleet({
    pingIntervals: { busyMs: 5_000, idleMs: 15_000 },
    limits: { waitMs },
    compareMs: 5,
    nextEpoch: countEpochs(),
    onModels: () => {},
    ...listeners,
  }),
])
