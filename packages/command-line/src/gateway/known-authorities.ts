// The certificate authorities that this machine trusts beside those that come with Node: companies install their own in the system, or name
// a file in NODE_EXTRA_CA_CERTS. Installers run it on the machine's own Node, which may be too old to read the system's store.

import { existsSync, readFileSync } from 'node:fs'
import tls from 'node:tls'
import type { Environment } from './choose-proxy.ts'

/** Where Linux systems keep all of theirs, for a Node that can't find them. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
]
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/** In PEM. What can't be read is left out. */
export function ownAuthorities(environment: Environment): string[] {
  // npm tells its own setting to what it starts.
  const named = [environment['NODE_EXTRA_CA_CERTS'], environment['npm_config_cafile']]
  const found = [...named.flatMap((file) => readCertificates(file ?? '')), ...systemAuthorities()]
  const builtIn = new Set(tls.rootCertificates.map(bodyOf))
  return [...new Map(found.map((pem) => [bodyOf(pem), pem]))]
    .filter(([body]) => !builtIn.has(body))
    .map(([, pem]) => pem)
}

export function knownAuthorities(environment: Environment): string[] {
  return [...tls.rootCertificates, ...ownAuthorities(environment)]
}

function systemAuthorities(): string[] {
  try {
    if (tls.getCACertificates !== undefined) return tls.getCACertificates('system')
  } catch {
    // The system's store can't be read. Its files, if any, may be.
  }
  return SYSTEM_FILES.flatMap(readCertificates)
}

function readCertificates(file: string): string[] {
  try {
    return existsSync(file) ? (readFileSync(file, 'utf8').match(CERTIFICATE) ?? []) : []
  } catch {
    return []
  }
}

/** Stores break the lines of the same certificate in different places. */
function bodyOf(pem: string): string {
  return pem.replaceAll(/\s/g, '')
}
