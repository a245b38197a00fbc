// Sets up the network before a command uses it: the machine's proxies and certificates.

import { DeviceError } from '../errors.ts'
import { routeDownloads } from '../link/proxy-tunnel.ts'
import { trustSystemCertificates } from '../system/trust.ts'
import type { Context } from './context.ts'

export function prepareNetwork({ world }: Context): void {
  routeDownloads(world.environment)
  trustSystemCertificates()
}

/** Aborted by Ctrl-C or the end of the terminal, so that work stops cleanly; a second Ctrl-C ends the process. */
export function untilInterrupted(advice = 'run the command again to continue where it stopped'): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interrupted.abort(new DeviceError('Interrupted', advice)))
  return interrupted.signal
}
