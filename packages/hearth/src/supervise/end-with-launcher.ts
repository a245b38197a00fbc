// Loaded into every part before its own code, with the channel to the launcher. Each part says every second that it is alive, and ends when
// the launcher does, even if that was killed and could not tell: then the channel closes.

import { isMainThread } from 'node:worker_threads'
import { openQuickImports } from '@hearth/command-line/program/quick-imports'
import { watchLoop } from '@hearth/gateway/alive'
import { LAUNCHER_VARIABLE } from './launcher-variable.ts'

/** Nobody is left to ask for more patience. */
const FINISH_MS = 10_000

openQuickImports()

if (isMainThread && process.channel && process.env[LAUNCHER_VARIABLE] !== undefined) {
  // Processes that this one starts load this file too, and their channel is not the launcher's.
  delete process.env[LAUNCHER_VARIABLE]
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), FINISH_MS).unref()
    process.kill(process.pid, 'SIGTERM')
  })
  watchLoop(() => process.connected && process.send?.('alive', () => undefined))
  // A command that has done its work ends while the launcher still runs.
  process.channel.unref()
}
