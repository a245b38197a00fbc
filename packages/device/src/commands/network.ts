// Sets up the network before a command uses it: the machine's proxies and certificates.

import { DeviceError } from '../errors.ts'
import { routeDownloads } from '../link/proxy-tunnel.ts'
import { trustSystemCertificates } from '../system/trust.ts'
import type { Context } from './context.ts'

export function prepareNetwork({ world }: Context): void {
  routeDownloads(world.environment)
  trustSystemCertificates()
}

/** Aborted by Ctrl-C, so that a download stops cleanly; a second Ctrl-C ends the process. */
export function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController()
  process.once('SIGINT', () =>
    interrupted.abort(new DeviceError('Interrupted', 'run the command again to continue where it stopped')),
  )
  return interrupted.signal
}
