// Builds the files that other machines download, from the sources next to the gateway: a program, and a small installer that downloads it.
// This way a machine always gets the program that fits its gateway, and nothing has to be published.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { join as joinPosix } from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import { versionOf } from '@hearth/command-line/version'
import { appLock, type LockEntries } from './app-lock.ts'
import { appManifest, installerManifest, installerOf, launcherOf, type Manifest } from './app-manifest.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { bundlePackages } from './bundle-packages.ts'
import type { Packing } from './packing.ts'
import { packTarball, type PackedFile } from './tarball.ts'
import { importedNames, javaScriptName, ourPackages, toJavaScript } from './to-javascript.ts'

export interface Handouts {
  version: string
  app: Handout
  installer: Handout
  /** The packages of the app, in CycloneDX. */
  billOfMaterials: Handout
  /** The project's signature of the app, if somebody put release.json beside the sources. Those who download it check it. */
  release?: unknown
}

export interface Handout {
  content: Uint8Array
  sha256: string
}

const NOT_PART = /(\.test\.ts|\.contract\.ts|^fixtures\/.*|(^|\/)testing\/.*)$/
/** Of the repository; every program comes with them. */
const LICENSES = ['LICENSE', 'THIRD-PARTY-NOTICES.txt']
const INSTALLER_ENTRY = 'src/install/main.js'

/** `root` is the root folder of the repository. */
export async function buildHandouts(root: string, packing: Packing): Promise<Handouts> {
  const { workspace, program, files } = packing
  const own = await readJson<Manifest>(join(root, workspace, 'package.json'))
  const packages = await readPackages(root, own)
  const version = versionOf(own, pathToFileURL(`${root}/`))
  const manifest = appManifest(await readJson(join(root, 'package.json')), packing, version, [
    own,
    ...packages.values(),
  ])
  const { packages: locked } = await readJson<{ packages: LockEntries }>(join(root, 'package-lock.json'))
  const lock = appLock(locked, workspace, manifest)
  const sources = await Promise.all([
    readModules(join(root, workspace, 'src'), 'src'),
    ...packages.keys().map((name) => readModules(join(root, 'packages', name, 'src'), name)),
  ])
  const modules = sources.flat()
  const launchers = join(root, 'packages/command-line/launcher')
  const installing = withImports(INSTALLER_ENTRY, modules)
  const bundled = packagesOf(installing, manifest.dependencies)
  const app = handOut(
    packTarball([
      json('package.json', manifest),
      json('package-lock.json', lock),
      await plainFile(join(launchers, 'run.cjs'), launcherOf(program.command), true),
      await plainFile(join(launchers, 'with-pinned-node.cjs'), 'launcher/with-pinned-node.cjs'),
      ...(await Promise.all(LICENSES.map((path) => plainFile(join(root, path), path)))),
      ...(await Promise.all(files.map((path) => plainFile(join(root, workspace, path), path)))),
      ...modules,
    ]),
  )
  const installer = handOut(
    packTarball([
      json('package.json', installerManifest(packing, version, bundled)),
      await plainFile(join(root, 'LICENSE'), 'LICENSE'),
      await plainFile(join(launchers, 'install.cjs'), launcherOf(installerOf(program.command)), true),
      ...installing,
      ...(await bundlePackages(root, locked, workspace, Object.keys(bundled))),
    ]),
  )
  return {
    version,
    app,
    installer,
    billOfMaterials: handOut(toJson(billOfMaterials(lock, app.sha256))),
    ...(await readReleaseOf(root, program.command)),
  }
}

async function readReleaseOf(root: string, command: string): Promise<Pick<Handouts, 'release'>> {
  const path = join(root, 'release.json')
  return existsSync(path) ? { release: (await readJson<Record<string, unknown>>(path))[command] } : {}
}

/** The manifests of our packages that a program needs, also through others, by their names. */
async function readPackages(root: string, manifest: Manifest, found = new Map<string, Manifest>()) {
  for (const name of ourPackages(manifest.dependencies)) {
    if (found.has(name)) continue
    const needed = await readJson<Manifest>(join(root, 'packages', name, 'package.json'))
    found.set(name, needed)
    await readPackages(root, needed, found)
  }
  return found
}

async function readModules(folder: string, place: string): Promise<PackedFile[]> {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'))
  const modules = names.filter((name) => /\.[jt]s$/.test(name) && !NOT_PART.test(name))
  return Promise.all(
    modules.map(async (name) => {
      const path = joinPosix(place, javaScriptName(name))
      const source = await readFile(join(folder, name), 'utf8')
      return { path, content: Buffer.from(toJavaScript(source, path)) }
    }),
  )
}

/** A module and all of our own modules that it imports. */
function withImports(entry: string, modules: readonly PackedFile[]): PackedFile[] {
  const byPath = new Map(modules.map((file) => [file.path, file]))
  const found = new Set<PackedFile>()
  const visit = (path: string): void => {
    const file = byPath.get(path)
    if (file === undefined) throw new Error(`Cannot build the installer: ${path} is missing`)
    if (found.has(file)) return
    found.add(file)
    const names = importedNames(Buffer.from(file.content).toString()).filter((name) => name.startsWith('.'))
    for (const name of names) visit(joinPosix(path, '..', name))
  }
  visit(entry)
  return [...found]
}

/** Those of other people that modules import, with their versions. */
function packagesOf(
  modules: readonly PackedFile[],
  versions: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(modules.flatMap(({ content }) => importedNames(Buffer.from(content).toString())))
  return Object.fromEntries(Object.entries(versions).filter(([name]) => names.has(name)))
}

function handOut(content: Uint8Array): Handout {
  return { content, sha256: createHash('sha256').update(content).digest('hex') }
}

async function plainFile(source: string, path: string, isExecutable = false): Promise<PackedFile> {
  return { path, content: await readFile(source), isExecutable }
}

function json(path: string, value: unknown): PackedFile {
  return { path, content: toJson(value) }
}

function toJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

async function readJson<Value>(path: string): Promise<Value> {
  return JSON.parse(await readFile(path, 'utf8')) as Value
}
