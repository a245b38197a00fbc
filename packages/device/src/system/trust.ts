// Trusts what the machine trusts: company networks often put a certificate authority of their own into the system.

import { getCACertificates, setDefaultCACertificates } from 'node:tls'

export function trustSystemCertificates(): void {
  try {
    setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')])
  } catch {
    // A system whose store cannot be read leaves the authorities Node comes with.
  }
}
