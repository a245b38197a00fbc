import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { beforeAll, describe, expect, it } from 'vitest'
import ownPackage from '../../package.json' with { type: 'json' }
import { OWN_VERSION } from '../own-version.ts'
import { buildHandouts, type Handouts } from './build-handouts.ts'
import { HandedOutProgram } from './handed-out-program.ts'
import { PACKINGS, type PackingName } from './packing.ts'
import { importedNames } from './to-javascript.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** That a hand-out is made of, beside packages/. */
const ROOT_FILES = ['package.json', 'package-lock.json', 'LICENSE', 'THIRD-PARTY-NOTICES.txt', 'CHANGELOG.md']
const BUNDLED = /^node_modules\//
const TYPESCRIPT_NAME = /\.ts['"]/

interface Lock {
  packages: Record<string, { name?: string; version?: string; integrity?: string; optional?: boolean }>
}

interface Packed {
  handouts: Handouts
  app: Map<string, string>
  installer: Map<string, string>
}

/** A package colors its output if this one is there too. */
const OPTIONAL = ['supports-color']

const NAMES = Object.keys(PACKINGS) as PackingName[]
const packed = {} as Record<PackingName, Packed>

beforeAll(async () => {
  for (const name of NAMES) {
    const handouts = await buildHandouts(ROOT, PACKINGS[name])
    packed[name] = { handouts, app: filesOf(handouts.app.content), installer: filesOf(handouts.installer.content) }
  }
})

/** Text by path, as an ordinary tar reader finds it. */
function filesOf(archive: Uint8Array): Map<string, string> {
  const tar = gunzipSync(archive)
  const files = new Map<string, string>()
  for (let offset = 0; tar[offset] !== 0;) {
    const [name] = tar.toString('utf8', offset, offset + 100).split('\0', 1)
    const bytes = Number.parseInt(tar.toString('utf8', offset + 124, offset + 135), 8)
    files.set(name!.replace('package/', ''), tar.toString('utf8', offset + 512, offset + 512 + bytes))
    offset += 512 + Math.ceil(bytes / 512) * 512
  }
  return files
}

/** The same files in another folder, written in another order, with other times and rights. */
async function otherCheckout(): Promise<string> {
  const root = scratchFolder()
  const listed = await readdir(join(ROOT, 'packages'), { recursive: true, withFileTypes: true })
  const sources = listed
    .filter((entry) => entry.isFile() && !/node_modules|\/dist(\/|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
  const bundled = NAMES.flatMap((name) => [...packed[name].installer.keys()]).filter((path) => BUNDLED.test(path))
  for (const path of [...ROOT_FILES, ...sources, ...new Set(bundled)].toReversed()) {
    await mkdir(join(root, path, '..'), { recursive: true, mode: 0o700 })
    await writeFile(join(root, path), await readFile(join(ROOT, path)), { mode: 0o600 })
    await utimes(join(root, path), 1, 1)
  }
  return root
}

/** Of an import of a package, or of one of its modules. */
function packageOf(name: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name
}

/** A module, or a package that it brings. */
function isIn(files: Map<string, string>, from: string, name: string): boolean {
  return files.has(name.startsWith('.') ? join(from, '..', name) : `node_modules/${name}/package.json`)
}

function modulesOf(files: Map<string, string>): [string, string][] {
  return [...files].filter(([path]) => path.endsWith('.js'))
}

describe.each(NAMES)('the files that the gateway distributes: %s', (name) => {
  it('have one hash for two checkouts of the same sources, wherever and whenever they are', async () => {
    const again = await buildHandouts(await otherCheckout(), PACKINGS[name])
    expect(again.app.sha256).toBe(packed[name].handouts.app.sha256)
    expect(again.installer.sha256).toBe(packed[name].handouts.installer.sha256)
    expect(again.billOfMaterials.sha256).toBe(packed[name].handouts.billOfMaterials.sha256)
  })

  it('are archives that other programs can read', () => {
    const { handouts, app } = packed[name]
    const listed = execFileSync('tar', ['-tzf', '-'], { input: handouts.app.content }).toString()
    expect(listed.trim().split('\n')).toHaveLength(app.size)
  })

  it('are built in another thread, once, and again after a failure', async () => {
    const { handouts } = packed[name]
    let tries = 0
    const failing = new HandedOutProgram(name, async () => {
      tries += 1
      if (tries === 1) throw new Error('no')
      return handouts
    })
    await expect(failing.handouts()).rejects.toThrow('no')
    await Promise.all([failing.handouts(), failing.handouts()])
    expect(tries).toBe(2)
    const { version, app } = handouts
    const notice = { version, sha256: app.sha256, bytes: app.content.length }
    expect(await new HandedOutProgram(name).notice()).toStrictEqual(notice)
  })
})

describe.each(NAMES)('the program that the gateway distributes: %s', (name) => {
  it('has the version of this build, above that of the manifests', () => {
    const { handouts, app } = packed[name]
    const { version } = JSON.parse(app.get('package.json')!) as { version: string }
    expect([version, handouts.version]).toStrictEqual([OWN_VERSION, OWN_VERSION])
    expect(version).not.toBe(ownPackage.version)
  })

  it('comes with its license, and with those of what it installs', () => {
    const { app, installer } = packed[name]
    for (const files of [app, installer]) expect(files.get('LICENSE')).toContain('The Hearth authors')
    const { packages } = JSON.parse(app.get('package-lock.json')!) as Lock
    const notices = app.get('THIRD-PARTY-NOTICES.txt')!
    const installed = Object.entries(packages).filter(([place]) => place !== '')
    const unnamed = installed
      .map(([place, { name: alias, version }]) => `${alias ?? place.replace(/^.*node_modules\//, '')} ${version}`)
      .filter((nameAndVersion) => !notices.includes(`\n${nameAndVersion}`))
    expect(unnamed).toStrictEqual([])
  })

  it('imports only what it contains', () => {
    const { app } = packed[name]
    const { dependencies } = JSON.parse(app.get('package.json')!) as { dependencies: Record<string, string> }
    for (const [path, text] of modulesOf(app))
      for (const name of importedNames(text)) {
        const isThere = name.startsWith('.')
          ? app.has(join(path, '..', name))
          : isBuiltin(name) || Object.hasOwn(dependencies, packageOf(name))
        expect([path, name, isThere]).toStrictEqual([path, name, true])
      }
  })

  it('is JavaScript without tests, and imports no TypeScript file', () => {
    const { app } = packed[name]
    expect([...app.keys()].filter((path) => path.endsWith('.ts') || path.includes('testing/'))).toStrictEqual([])
    for (const [path, text] of modulesOf(app)) expect([path, TYPESCRIPT_NAME.test(text)]).toStrictEqual([path, false])
  })

  it('pins every version, with the checksums of the lockfile, and includes Node for every system', async () => {
    const { app } = packed[name]
    const manifest = JSON.parse(app.get('package.json')!) as Record<string, Record<string, string>>
    const { packages } = JSON.parse(app.get('package-lock.json')!) as Lock
    const tested = (JSON.parse(await readFile(`${ROOT}package-lock.json`, 'utf8')) as Lock).packages
    const pinned = Object.keys(manifest['optionalDependencies']!)
    expect(pinned.filter((name) => name.startsWith('node-')).length).toBeGreaterThanOrEqual(5)
    for (const version of Object.values({ ...manifest['dependencies'], ...manifest['optionalDependencies'] }))
      expect(version).toMatch(/^\d+\.\d+\.\d+/)
    for (const [place, { version, integrity, optional }] of Object.entries(packages).filter(([name]) => name !== '')) {
      const known = tested[`${PACKINGS[name].workspace}/${place}`] ?? tested[place]
      expect([place, version, integrity]).toStrictEqual([place, known?.version, known?.integrity])
      if (!optional) expect(integrity).toMatch(/^sha512-/)
    }
    for (const name of pinned) expect(packages).toHaveProperty([`node_modules/${name}`])
  })
})

it('leaves the large GPU packages out of the device app', () => {
  const { packages } = JSON.parse(packed.device.app.get('package-lock.json')!) as Lock
  const places = Object.keys(packages)
  expect(places).toContain('node_modules/@node-llama-cpp/linux-x64')
  expect(places.filter((place) => /cuda|vulkan/.test(place))).toStrictEqual([])
})

it('hands out the program that seals without an engine or a gateway', () => {
  const { app } = packed.seal
  const { packages } = JSON.parse(app.get('package-lock.json')!) as Lock
  expect(Object.keys(packages).filter((place) => /llama|better-auth|drizzle/.test(place))).toStrictEqual([])
  expect(app.has('src/main.js') && app.has('sealing/index.js') && app.has('chat/index.js')).toBe(true)
  expect([...app.keys()].filter((path) => /^(gateway|device)\//.test(path))).toStrictEqual([])
})

describe.each(NAMES)('the installer: %s', (name) => {
  it('needs nothing but Node, because it brings its packages, as the lockfile has them', () => {
    const { installer } = packed[name]
    const manifest = JSON.parse(installer.get('package.json')!) as Record<string, object>
    expect(Object.keys(manifest['dependencies']!)).toStrictEqual(manifest['bundleDependencies'])
    for (const [path, text] of modulesOf(installer).filter(([place]) => BUNDLED.test(place)))
      for (const [, name = ''] of text.matchAll(/\brequire\(['"]([^'".]+)['"]\)/g))
        expect([path, name, isBuiltin(name) || installer.has(`node_modules/${name}/package.json`)]).toContain(
          OPTIONAL.includes(name) ? name : true,
        )
    expect(manifest).toHaveProperty('bin', { [`hearth-${name}-install`]: `launcher/hearth-${name}-install.cjs` })
    expect(installer.has(`launcher/hearth-${name}-install.cjs`)).toBe(true)
    for (const [path, text] of modulesOf(installer).filter(([place]) => !BUNDLED.test(place)))
      for (const name of importedNames(text))
        expect([path, name, isBuiltin(name) || isIn(installer, path, name)]).toStrictEqual([path, name, true])
  })

  it('is small', () => {
    expect(packed[name].handouts.installer.content.length).toBeLessThan(256 * 1024)
  })
})
