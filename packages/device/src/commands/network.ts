// Before a command talks to the network: proxies and certificates as the machine has them.

import { DeviceError } from '../errors.ts'
import { routeDownloads } from '../link/proxy-tunnel.ts'
import { trustSystemCertificates } from '../system/trust.ts'
import type { Context } from './context.ts'

export function prepareNetwork({ world }: Context): void {
  routeDownloads(world.environment)
  trustSystemCertificates()
}

/** Aborted by Ctrl-C, so that a download ends in good order; a second one ends the process. */
export function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController()
  process.once('SIGINT', () =>
    interrupted.abort(new DeviceError('Interrupted', 'run the command again: it goes on where it stopped')),
  )
  return interrupted.signal
}
