import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeApp, makeArchive, startAppGateway, withNpm } from '../testing/app-gateway.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { serveHere } from '../testing/serve-here.ts'
import { testAuthority } from '../testing/test-authority.ts'
import { appFolder } from './app-folder.ts'
import { versionName, type AppNotice } from './app-notice.ts'
import { fetchNotice, type Get } from './fetch-app.ts'
import { httpGet } from './http-get.ts'
import { installVersion } from './install-version.ts'
import { DEVICE_APP } from './program.ts'

const quiet = { line: () => {}, live: () => {} }

async function prepare(npm = 'exit 0', environment: Record<string, string | undefined> = withNpm(npm)) {
  const gateway = await startAppGateway()
  const home = join(scratchFolder(), "a home's folder")
  const folder = appFolder(home, DEVICE_APP)
  const get: Get = (url, limits) => httpGet(url, { environment, ...limits })
  const install = async (changed: Partial<AppNotice> = {}): Promise<string> => {
    const notice = { ...(await fetchNotice(DEVICE_APP, gateway.url, get)), ...changed }
    await installVersion(gateway.url, notice, folder, { environment, get, screen: quiet })
    return versionName(notice)
  }
  const run = (...words: string[]): string => execFileSync(folder.command, words).toString()
  return { gateway, home, folder, install, run }
}

/** A registry with one package, whose certificate only the company has signed, and an app that needs the package. */
async function startCompanyRegistry() {
  const authority = await testAuthority()
  const needed = makeArchive({ 'package.json': JSON.stringify({ name: 'needed', version: '1.0.0' }) })
  const server = createServer(await authority.issue(['127.0.0.1']), (_, response) => response.end(needed))
  const address = (await serveHere(server)).replace('http:', 'https:')
  const manifest = { name: 'app', version: '1.0.0', type: 'module', dependencies: { needed: '1.0.0' } }
  const integrity = `sha512-${createHash('sha512').update(needed).digest('base64')}`
  const packages = {
    '': manifest,
    'node_modules/needed': { version: '1.0.0', resolved: `${address}/needed.tgz`, integrity },
  }
  const app = makeArchive({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages }),
    'src/main.js': "import 'node:fs'; console.log('one')",
  })
  const home = scratchFolder()
  writeFileSync(join(home, 'npmrc'), '')
  const environment = {
    PATH: process.env['PATH'],
    npm_config_registry: address,
    npm_config_cache: join(home, 'cache'),
    npm_config_userconfig: join(home, 'npmrc'),
  }
  return { authority, app, environment }
}

describe('installing the app from a gateway', () => {
  it("has npm trust the company's authority, whichever Node it runs on", async () => {
    const { authority, app, environment } = await startCompanyRegistry()
    const { gateway, folder, install } = await prepare('', { ...environment, NODE_EXTRA_CA_CERTS: authority.file })
    gateway.handOut('1.0.0', app)
    const installed = folder.version(await install())
    expect(existsSync(join(installed, 'node_modules/needed/package.json'))).toBe(true)
    expect(existsSync(join(installed, 'authorities.pem'))).toBe(false)
  })

  it('says how to name an authority that nobody here knows', async () => {
    const { app, environment } = await startCompanyRegistry()
    const { gateway, install } = await prepare('', environment)
    gateway.handOut('1.0.0', app)
    await expect(install()).rejects.toMatchObject({ advice: expect.stringContaining('set NODE_EXTRA_CA_CERTS') })
  })

  it('puts a new version beside the old one, which stays until it is no longer needed', async () => {
    const { gateway, folder, install, run } = await prepare()
    gateway.handOut('1.0.0', makeApp('one', { version: '1.0.0' }))
    const one = await install()
    folder.choose(one)
    gateway.handOut('1.1.0', makeApp('two', { version: '1.1.0' }))
    const two = await install()
    expect(run()).toBe('one\n')
    folder.choose(two)
    expect(run()).toBe('two\n')
    folder.removeOthers([one, two])
    expect(existsSync(folder.version(one))).toBe(true)
    folder.removeOthers([two])
    expect(readdirSync(folder.path).toSorted()).toStrictEqual([two, 'current'])
  })

  it('rejects a download whose checksum is not the announced one', async () => {
    const { gateway, folder, install } = await prepare()
    gateway.handOut('1.0.0', makeApp('one', { version: '1.0.0' }), 'a'.repeat(64))
    await expect(install()).rejects.toThrow(/Wrong checksum .* got [0-9a-f]{64}, expected aaaa/)
    expect(readdirSync(folder.path)).toStrictEqual([])
  })

  it('rejects old code under a new number', async () => {
    const { gateway, folder, install } = await prepare()
    gateway.handOut('2.0.0', makeApp('one', { version: '1.0.0' }))
    await expect(install()).rejects.toThrow('hands out version 2.0.0, but the archive has 1.0.0')
    expect(readdirSync(folder.path)).toStrictEqual([])
  })

  it('changes nothing when the new version does not work on this machine', async () => {
    const { gateway, folder, install, run } = await prepare()
    gateway.handOut('1.0.0', makeApp('one', { version: '1.0.0' }))
    const one = await install()
    folder.choose(one)
    gateway.handOut('1.1.0', makeApp('two', { version: '1.1.0', isBroken: true }))
    await expect(install()).rejects.toThrow('so it was not installed: engine: it does not compute')
    expect(readdirSync(folder.path).toSorted()).toStrictEqual([one, 'current'])
    expect(run()).toBe('one\n')
  })

  it('removes what an interrupted installation left behind', async () => {
    const { gateway, folder, install } = await prepare()
    gateway.handOut('1.0.0', makeApp('one', { version: '1.0.0' }))
    mkdirSync(folder.draft('0.9.0-x'), { recursive: true })
    writeFileSync(join(folder.draft('0.9.0-x'), 'half'), '')
    const one = await install()
    expect(readdirSync(folder.path)).toStrictEqual([one])
  })

  it.each([
    ['there is no npm', 'echo "npm: not found" >&2; exit 127', /Can't find npm/],
    ['the disk is full', 'echo "npm error code ENOSPC" >&2; exit 228', /the disk is full/],
    [
      'npm fails',
      'echo "npm error code E404" >&2; echo "npm error 404 not here" >&2; exit 1',
      /couldn't install the app's dependencies: code E404; 404 not here/,
    ],
  ])('says so when %s, and leaves nothing behind', async (_, npm, message) => {
    const { gateway, folder, install } = await prepare(npm)
    gateway.handOut('1.0.0', makeApp('one', { version: '1.0.0' }))
    await expect(install()).rejects.toThrow(message)
    expect(readdirSync(folder.path)).toStrictEqual([])
  })

  it('says so when npm is not installed at all', async () => {
    const { gateway, install } = await prepare('', { PATH: scratchFolder() })
    gateway.handOut('1.0.0', makeApp('one', { version: '1.0.0' }))
    const problem = { message: "Can't find npm", advice: expect.stringContaining('nodejs.org') }
    await expect(install()).rejects.toMatchObject(problem)
  })

  it('says so when the address offers no app, or cannot be reached', async () => {
    const { gateway, install } = await prepare()
    await expect(install()).rejects.toThrow("doesn't offer the device app (status 404")
    const get: Get = (url, limits) => httpGet(url, { environment: {}, ...limits })
    await expect(fetchNotice(DEVICE_APP, new URL('http://127.0.0.1:9'), get)).rejects.toThrow("Can't reach the gateway")
    gateway.handOut('../../elsewhere', makeApp('one'))
    await expect(install()).rejects.toThrow("doesn't offer the device app")
  })

  it('says so when the folder cannot be used', async () => {
    const { gateway, home, install } = await prepare()
    gateway.handOut('1.0.0', makeApp('one', { version: '1.0.0' }))
    writeFileSync(home, 'a file')
    await expect(install()).rejects.toThrow(/Can't install the device app: .* is a file, not a folder/)
  })
})
