// What a program installs, as a software bill of materials in CycloneDX. It says what `npm sbom` says, but `npm sbom` also writes the time
// and a random number, and the gateway's container has no npm.

import { findEntry, type AppLock, type LockEntry } from './app-lock.ts'

/** The version that `npm sbom` writes. */
const SPEC_VERSION = '1.5'
export const BILL_TYPE = `application/vnd.cyclonedx+json; version=${SPEC_VERSION}`

const INTEGRITY = /^sha512-(.+)$/

/** `sha256` is the checksum of the program's archive. */
export function billOfMaterials({ packages }: AppLock, sha256: string): object {
  const { '': program, ...installed } = packages
  if (program === undefined) throw new Error('Cannot write a bill of materials: the lockfile names no program')
  const byReference = new Map(Object.entries(installed).map((found) => [reference(...found), found]))
  return {
    $schema: `http://cyclonedx.org/schema/bom-${SPEC_VERSION}.schema.json`,
    bomFormat: 'CycloneDX',
    specVersion: SPEC_VERSION,
    version: 1,
    metadata: { component: { ...component('', program), type: 'application', hashes: [hash('SHA-256', sha256)] } },
    components: [...byReference.values()].map((found) => component(...found)),
    dependencies: [['', program] as const, ...byReference.values()].map(([folder, entry]) => ({
      ref: reference(folder, entry),
      dependsOn: needs(installed, folder, entry),
    })),
  }
}

function component(folder: string, entry: LockEntry) {
  const { version, optional, license, integrity } = entry
  const name = nameOf(folder, entry)
  const [, checksum] = INTEGRITY.exec(integrity ?? '') ?? []
  return {
    'bom-ref': reference(folder, entry),
    type: 'library',
    name,
    version,
    scope: optional ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(checksum !== undefined && { hashes: [hash('SHA-512', Buffer.from(checksum, 'base64').toString('hex'))] }),
    ...(license !== undefined && { licenses: [licenseOf(license)] }),
  }
}

function needs(installed: Record<string, LockEntry>, folder: string, entry: LockEntry): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = entry
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  const found = names.map((name) => findEntry(installed, folder, name)).filter((one) => one !== undefined)
  return [...new Set(found.map((one) => reference(...one)))]
}

/** One package may be in several places. */
function reference(folder: string, entry: LockEntry): string {
  return `${nameOf(folder, entry)}@${entry.version}`
}

function nameOf(folder: string, { name }: LockEntry): string {
  return name ?? folder.replace(/^.*node_modules\//, '')
}

function licenseOf(license: string): object {
  return license.includes(' ') ? { expression: license } : { license: { id: license } }
}

function hash(alg: 'SHA-256' | 'SHA-512', content: string) {
  return { alg, content }
}
