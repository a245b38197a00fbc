import type { Measure } from './measure.ts'
import { accepting } from './measures/accepting.ts'
import { fleetSize } from './measures/fleet-size.ts'
import { gatewayHops } from './measures/gateway-hops.ts'
import { growth } from './measures/growth.ts'
import { hop } from './measures/hop.ts'
import { leasing } from './measures/leasing.ts'
import { memory } from './measures/memory.ts'
import { sealedFirstToken } from './measures/sealed-first-token.ts'
import { sealedStreams } from './measures/sealed-streams.ts'
import { sealing } from './measures/sealing.ts'
import { shedding } from './measures/shedding.ts'
import { slowStreams } from './measures/slow-streams.ts'
import { storm } from './measures/storm.ts'
import { streamBursts } from './measures/stream-bursts.ts'
import { wholeReplies } from './measures/whole-replies.ts'

/** In the order in which they run. */
export const MEASURES: readonly Measure[] = [
  wholeReplies,
  streamBursts,
  slowStreams,
  accepting,
  shedding,
  storm,
  growth,
  leasing,
  memory,
]

/** Of several gateways. They take minutes, so they have a command of their own. */
export const MEASURES_OF_SEVERAL: readonly Measure[] = [hop, gatewayHops, fleetSize]

/** Of sealed requests. */
export const MEASURES_OF_SEALING: readonly Measure[] = [sealing, sealedFirstToken, sealedStreams]
