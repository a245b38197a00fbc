// Prints the checksums of the programs that a gateway of this version hands out. Whoever doesn't trust a gateway compares them.

import { fileURLToPath } from 'node:url'
import { buildHandouts } from '../packages/gateway/src/device-app/build-handouts.ts'
import { PACKINGS } from '../packages/gateway/src/device-app/packing.ts'

// Node warns that type stripping is experimental, which is no news here.
process.removeAllListeners('warning')
const root = fileURLToPath(new URL('..', import.meta.url))
for (const packing of Object.values(PACKINGS)) {
  const { version, app } = await buildHandouts(root, packing)
  console.log(`${app.sha256}  ${packing.program.command} ${version}`)
}
