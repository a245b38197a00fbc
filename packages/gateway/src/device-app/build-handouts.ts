// Builds the files that machines download to become devices, from the sources next to the gateway: the device app, and a small installer
// that downloads it. This way a device always gets the app that fits its gateway, and nothing has to be published.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { join as joinPosix } from 'node:path/posix'
import { appLock, type LockEntries } from './app-lock.ts'
import { appManifest, installerManifest, type Manifest } from './app-manifest.ts'
import { packTarball, type PackedFile } from './tarball.ts'
import { importedNames, javaScriptName, ourPackages, toJavaScript } from './to-javascript.ts'

export interface Handouts {
  version: string
  app: Handout
  installer: Handout
}

export interface Handout {
  content: Uint8Array
  sha256: string
}

const NOT_PART = /(\.test\.ts|\.contract\.ts|^fixtures\/.*|(^|\/)testing\/.*)$/
const INSTALLER_ENTRY = 'src/install/main.js'

/** `root` is the root folder of the repository. */
export async function buildHandouts(root: string): Promise<Handouts> {
  const device = join(root, 'packages/device')
  const own = await readJson<Manifest>(join(device, 'package.json'))
  const manifest = appManifest(await readJson(join(root, 'package.json')), own)
  const { packages } = await readJson<{ packages: LockEntries }>(join(root, 'package-lock.json'))
  const sources = await Promise.all([
    readModules(join(device, 'src'), 'src'),
    ...ourPackages(own.dependencies).map((name) => readModules(join(root, 'packages', name, 'src'), name)),
  ])
  const modules = sources.flat()
  const files = [
    json('package.json', manifest),
    json('package-lock.json', appLock(packages, 'packages/device', manifest)),
    await plainFile(device, 'launcher/hearth-device.cjs', true),
    await plainFile(device, 'launcher/with-pinned-node.cjs'),
    await plainFile(device, 'tiny-model/tiny.gguf'),
    ...modules,
  ]
  return {
    version: manifest.version,
    app: await handOut(files),
    installer: await handOut([
      json('package.json', installerManifest(manifest.version)),
      await plainFile(device, 'launcher/hearth-device-install.cjs', true),
      ...withImports(INSTALLER_ENTRY, modules),
    ]),
  }
}

async function readModules(folder: string, place: string): Promise<PackedFile[]> {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'))
  const modules = names.filter((name) => name.endsWith('.ts') && !NOT_PART.test(name))
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

async function handOut(files: readonly PackedFile[]): Promise<Handout> {
  const content = await packTarball(files)
  return { content, sha256: createHash('sha256').update(content).digest('hex') }
}

async function plainFile(folder: string, path: string, isExecutable = false): Promise<PackedFile> {
  return { path, content: await readFile(join(folder, path)), isExecutable }
}

function json(path: string, value: unknown): PackedFile {
  return { path, content: Buffer.from(`${JSON.stringify(value, null, 2)}\n`) }
}

async function readJson<Value>(path: string): Promise<Value> {
  return JSON.parse(await readFile(path, 'utf8')) as Value
}
