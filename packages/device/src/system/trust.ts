// Trusts the system's certificate authorities too: company networks often install their own.

import { getCACertificates, setDefaultCACertificates } from 'node:tls'

export function trustSystemCertificates(): void {
  try {
    setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')])
  } catch {
    // If the system's store can't be read, Node's built-in authorities remain.
  }
}
