// Prints the checksums of the programs that a gateway of this version hands out. Whoever doesn't trust a gateway compares them. With a
// folder, also writes the programs there, each with its bill of materials: npm run handouts -- <folder>

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildHandouts } from '../packages/gateway/src/device-app/build-handouts.ts'
import { PACKINGS } from '../packages/gateway/src/device-app/packing.ts'

// Node warns that type stripping is experimental, which is no news here.
process.removeAllListeners('warning')
const [folder] = process.argv.slice(2)
const root = fileURLToPath(new URL('..', import.meta.url))
for (const packing of Object.values(PACKINGS)) {
  const { command } = packing.program
  const { version, app, billOfMaterials } = await buildHandouts(root, packing)
  console.log(`${app.sha256}  ${command} ${version}`)
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${command}.tgz`), app.content)
    writeFileSync(join(folder, `${command}.cdx.json`), billOfMaterials.content)
  }
}
