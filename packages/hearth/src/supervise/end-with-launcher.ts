// Loaded into the gateway and the device before their own code: they end when the launcher does, even if it was killed and could not tell
// them. They notice because the channel between the two processes closes.

import { isMainThread } from 'node:worker_threads'
import { LAUNCHER_VARIABLE } from './launcher-variable.ts'

/** Nobody is left to ask for more patience. */
const FINISH_MS = 10_000

if (isMainThread && process.channel && process.env[LAUNCHER_VARIABLE] !== undefined) {
  // Processes that this one starts load this file too, and their channel is not the launcher's.
  delete process.env[LAUNCHER_VARIABLE]
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), FINISH_MS).unref()
    process.kill(process.pid, 'SIGTERM')
  })
  // A command that has done its work ends while the launcher still runs.
  process.channel.unref()
}
