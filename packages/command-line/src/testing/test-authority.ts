// A certificate authority for one test, such as a company's own: no system and no Node knows it.

import { KeyObject, randomUUID, webcrypto } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509'
import { scratchFolder } from './scratch-folder.ts'

export interface Issued {
  key: string
  cert: string
}

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNED = { name: 'ECDSA', hash: 'SHA-256' }

export async function testAuthority() {
  const keys = await makeKeys()
  const own = await X509CertificateGenerator.createSelfSigned({
    // A system that trusts two of the same name takes the wrong one.
    name: `CN=Company CA ${randomUUID()}`,
    keys,
    signingAlgorithm: SIGNED,
    notAfter: new Date(Date.now() + 10 * YEAR_MS),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  })
  const certificate = toText(own)
  const file = join(scratchFolder(), 'ca.pem')
  writeFileSync(file, certificate)
  return {
    /** In PEM. */
    file,
    certificate,
    async issue(
      names: readonly string[],
      { from = Date.now() - DAY_MS, until = Date.now() + DAY_MS } = {},
    ): Promise<Issued> {
      const { publicKey, privateKey } = await makeKeys()
      const issued = await X509CertificateGenerator.create({
        subject: `CN=${names[0]}`,
        issuer: own.subject,
        publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: SIGNED,
        notBefore: new Date(from),
        notAfter: new Date(until),
        extensions: [
          new SubjectAlternativeNameExtension(
            names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
          ),
        ],
      })
      return { key: keyText(privateKey), cert: toText(issued) }
    },
  }
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(CURVE, true, ['sign', 'verify'])
}

function keyText(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' })
}

function toText(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`
}
