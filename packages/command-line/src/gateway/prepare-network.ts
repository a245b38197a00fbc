// Sets up the network before a command uses it: the machine's proxies and certificates.

import { setGlobalProxyFromEnv } from 'node:http'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** Call once, before the first request. It counts for `fetch` and for node:http. */
export function prepareNetwork(environment: Readonly<Record<string, string | undefined>>): void {
  setGlobalProxyFromEnv({ ...environment })
  trustSystemCertificates()
}

let isTrusted = false

/** Company networks often install their own certificate authorities. Reading them takes a while, and they count for the whole process. */
function trustSystemCertificates(): void {
  if (isTrusted) return
  isTrusted = true
  try {
    setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')])
  } catch {
    // If the system's store can't be read, Node's built-in authorities remain.
  }
}
