// Every door of the gateway: each frame, path, operation and message, what it may make the gateway keep and do, and who pays for its answer. The compiler demands an
// entry for each kind of frame, message, path and operation of the API; a test compares the rest with the code.

import type { Bounded } from './bounds.ts'
import { CONSOLE_CALLS } from './doors/console-calls.ts'
import { DEVICE_FRAMES } from './doors/device-frames.ts'
import { API_OPERATIONS, HTTP_PATHS } from './doors/http-paths.ts'
import { BUS_SUBJECTS, PEER_MESSAGES } from './doors/peer-messages.ts'

export const DOORS = {
  deviceFrames: DEVICE_FRAMES,
  httpPaths: HTTP_PATHS,
  apiOperations: API_OPERATIONS,
  consoleCalls: CONSOLE_CALLS,
  peerMessages: PEER_MESSAGES,
  busSubjects: BUS_SUBJECTS,
} as const satisfies Record<string, Readonly<Record<string, Bounded>>>
