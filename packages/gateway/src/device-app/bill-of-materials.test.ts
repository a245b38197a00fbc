import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { expect, it } from 'vitest'
import { buildHandouts } from './build-handouts.ts'
import { PACKINGS, type PackingName } from './packing.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

interface Bill {
  metadata: { component: { name: string; version: string; hashes: object[] } }
  components: Record<string, unknown>[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

async function bills(name: PackingName): Promise<{ ours: Bill; npms: Bill; sha256: string; version: string }> {
  const { app, billOfMaterials, version } = await buildHandouts(ROOT, PACKINGS[name])
  const folder = scratchFolder()
  writeFileSync(`${folder}/app.tgz`, app.content)
  execFileSync('tar', ['-xzf', 'app.tgz', '--strip-components=1'], { cwd: folder })
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const said = execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const ours = JSON.parse(Buffer.from(billOfMaterials.content).toString()) as Bill
  return { ours, npms: JSON.parse(said) as Bill, sha256: app.sha256, version }
}

/** What npm knows from the lockfile alone, under the names of the registry. */
function inOrder({ components, dependencies }: Bill) {
  const known = components.map(({ 'bom-ref': ref, version, scope, purl, hashes, licenses }) => ({
    ref,
    version,
    scope,
    purl,
    hashes,
    licenses,
  }))
  const needed = dependencies.map(({ ref, dependsOn }) => [ref, dependsOn.toSorted()] as const)
  return {
    components: known.toSorted((a, b) => (String(a.ref) < String(b.ref) ? -1 : 1)),
    needed: needed.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  }
}

it.each(Object.keys(PACKINGS) as PackingName[])('lists the packages of %s as npm does', async (name) => {
  const { ours, npms, sha256, version } = await bills(name)
  expect(inOrder(ours)).toStrictEqual(inOrder(npms))
  expect(ours.components.length).toBeGreaterThan(5)
  const { component } = ours.metadata
  expect(component).toMatchObject({ name: `hearth-${name}`, version, hashes: [{ alg: 'SHA-256', content: sha256 }] })
})
