// Signs the programs of this checkout as a release of the project, into release.json, which gateways of this version then hand out. A person
// runs it, on a machine that has the release key and nothing else to do with a gateway:
//
//   npm run sign-release -- new release-key.json      makes a key, and prints the half that goes into install/release-keys.ts
//   npm run sign-release -- release-key.json          signs

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { newSigningKey, writeRelease, type SigningKey } from '@hearth/sealing'
import { buildHandouts } from '../packages/gateway/src/device-app/build-handouts.ts'
import { PACKINGS } from '../packages/gateway/src/device-app/packing.ts'
import { requireChecksums, type LockedPackages } from './lockfile/gaps.ts'

process.removeAllListeners('warning')
const [first, second] = process.argv.slice(2)
if (first === undefined) throw new Error('Name the file of the release key: npm run sign-release -- release-key.json')
if (first === 'new') makeKey(second ?? 'release-key.json')
else await signRelease(JSON.parse(readFileSync(first, 'utf8')) as SigningKey)

function makeKey(path: string): void {
  const key = newSigningKey()
  writeFileSync(path, `${JSON.stringify(key, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  console.log(`Made ${path}. Keep it offline, with a copy. For install/release-keys.ts: ${key.publicKey}`)
}

async function signRelease(key: SigningKey): Promise<void> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const lock = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')
  requireChecksums((JSON.parse(lock) as { packages: LockedPackages }).packages)
  const signed: Record<string, unknown> = {}
  for (const packing of Object.values(PACKINGS)) {
    const { version, app } = await buildHandouts(root, packing)
    const { command: program } = packing.program
    signed[program] = writeRelease({ program, version, sha256: app.sha256 }, key)
    console.log(`${app.sha256}  ${program} ${version}`)
  }
  writeFileSync(new URL('../release.json', import.meta.url), `${JSON.stringify(signed, null, 2)}\n`)
  console.log('Signed, in release.json')
}
