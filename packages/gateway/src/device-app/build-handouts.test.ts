import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildHandouts, type Handouts } from './build-handouts.ts'
import { DeviceApp } from './device-app.ts'
import { importedNames } from './to-javascript.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const TYPESCRIPT_NAME = /\.ts['"]/

interface Lock {
  packages: Record<string, { name?: string; version?: string; integrity?: string; optional?: boolean }>
}

let handouts: Handouts
let app: Map<string, string>
let installer: Map<string, string>

beforeAll(async () => {
  handouts = await buildHandouts(ROOT)
  app = filesOf(handouts.app.content)
  installer = filesOf(handouts.installer.content)
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

function modulesOf(files: Map<string, string>): [string, string][] {
  return [...files].filter(([path]) => path.endsWith('.js'))
}

describe('the files that the gateway distributes', () => {
  it('[R4] are the same byte for byte every time', async () => {
    const again = await buildHandouts(ROOT)
    expect(again.app.sha256).toBe(handouts.app.sha256)
    expect(again.installer.sha256).toBe(handouts.installer.sha256)
  })

  it('are archives that other programs can read', () => {
    const listed = execFileSync('tar', ['-tzf', '-'], { input: handouts.app.content }).toString()
    expect(listed.trim().split('\n')).toHaveLength(app.size)
  })

  it('are built in another thread, once, and again after a failure', async () => {
    let tries = 0
    const failing = new DeviceApp(async () => {
      tries += 1
      if (tries === 1) throw new Error('no')
      return handouts
    })
    await expect(failing.handouts()).rejects.toThrow('no')
    await Promise.all([failing.handouts(), failing.handouts()])
    expect(tries).toBe(2)
    expect((await new DeviceApp().handouts()).app.sha256).toBe(handouts.app.sha256)
  })
})

describe('the app that the gateway distributes', () => {
  it('[R4] imports only what it contains', () => {
    const { dependencies } = JSON.parse(app.get('package.json')!) as { dependencies: Record<string, string> }
    for (const [path, text] of modulesOf(app))
      for (const name of importedNames(text)) {
        const isThere = name.startsWith('.')
          ? app.has(join(path, '..', name))
          : isBuiltin(name) || Object.hasOwn(dependencies, name)
        expect([path, name, isThere]).toStrictEqual([path, name, true])
      }
  })

  it('[R4] is JavaScript without tests, and imports no TypeScript file', () => {
    expect([...app.keys()].filter((path) => path.endsWith('.ts') || path.includes('testing/'))).toStrictEqual([])
    for (const [path, text] of modulesOf(app)) expect([path, TYPESCRIPT_NAME.test(text)]).toStrictEqual([path, false])
  })

  it('[R4] pins every version, with the checksums of the lockfile, and includes Node for every system', async () => {
    const manifest = JSON.parse(app.get('package.json')!) as Record<string, Record<string, string>>
    const { packages } = JSON.parse(app.get('package-lock.json')!) as Lock
    const tested = (JSON.parse(await readFile(`${ROOT}package-lock.json`, 'utf8')) as Lock).packages
    const pinned = Object.keys(manifest['optionalDependencies']!)
    expect(pinned.filter((name) => name.startsWith('node-')).length).toBeGreaterThanOrEqual(5)
    for (const version of Object.values({ ...manifest['dependencies'], ...manifest['optionalDependencies'] }))
      expect(version).toMatch(/^\d+\.\d+\.\d+/)
    for (const [place, { version, integrity, optional }] of Object.entries(packages).filter(([name]) => name !== '')) {
      const known = tested[`packages/device/${place}`] ?? tested[place]
      expect([place, version, integrity]).toStrictEqual([place, known?.version, known?.integrity])
      if (!optional) expect(integrity).toMatch(/^sha512-/)
    }
    for (const name of pinned) expect(packages).toHaveProperty([`node_modules/${name}`])
  })

  it('leaves out the large GPU packages', () => {
    const { packages } = JSON.parse(app.get('package-lock.json')!) as Lock
    const large = Object.entries(packages).filter(([place]) => /cuda|vulkan/.test(place))
    expect(large.length).toBeGreaterThan(0)
    for (const [, { name }] of large) expect(name).toBe('empty-npm-package')
  })
})

describe('the installer', () => {
  it('[R5] needs nothing but Node', () => {
    const manifest = JSON.parse(installer.get('package.json')!) as object
    expect(manifest).not.toHaveProperty('dependencies')
    expect(manifest).toHaveProperty('bin', { 'hearth-device-install': 'launcher/hearth-device-install.cjs' })
    for (const [path, text] of modulesOf(installer))
      for (const name of importedNames(text))
        expect([path, name, isBuiltin(name) || installer.has(join(path, '..', name))]).toStrictEqual([path, name, true])
  })

  it('is small', () => {
    expect(handouts.installer.content.length).toBeLessThan(64 * 1024)
  })
})
