// A gateway that hands out changed code to a device of a sealed organization: the device app's own command, as it is installed.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { appFolder, writeRunFile } from '@hearth/command-line/install/app-folder'
import { DEVICE_APP } from '@hearth/command-line/install/program'
import { hashOf, makeApp, startAppGateway, withNpm } from '@hearth/command-line/testing/app-gateway'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { chainAfter, checkSeal, newSigningKey, sealText, writeDeviceList, type NamedApp } from '@hearth/sealing'
import { beforeEach, describe, expect, it } from 'vitest'

const PACKAGE = fileURLToPath(new URL('../../packages/device/', import.meta.url))
const OLD = '1.0.0-000000000000'
const organization = 'acme'
const key = newSigningKey()
const seal = sealText(key.publicKey, 'hs')

/** Lists that name these programs, one after the other. */
function lists(...each: (readonly NamedApp[])[]): object[] {
  let seen = {}
  return each.map((apps, index) => {
    const last = 'devices' in seen ? (seen.devices as Parameters<typeof chainAfter>[0]) : undefined
    const list = { organization, number: index + 1, previous: chainAfter(last), signedAt: 1, devices: [], apps }
    const devices = writeDeviceList(list, key)
    const verdict = checkSeal({ seal, organization, administrators: undefined, devices, seen })
    if (verdict.kind === 'trusted') ({ seen } = verdict)
    return { organization, mode: 'required', seal, devices }
  })
}

async function installDevice() {
  const gateway = await startAppGateway()
  const home = scratchFolder()
  const folder = appFolder(home, DEVICE_APP)
  const login = { gateway: gateway.url.href, device: 'd', organization, name: 'studio', credential: 'secret' }
  writeFileSync(join(home, 'credential.json'), JSON.stringify(login), { mode: 0o600 })
  mkdirSync(folder.version(OLD), { recursive: true })
  for (const part of ['package.json', 'src'])
    cpSync(join(PACKAGE, part), join(folder.version(OLD), part), { recursive: true })
  symlinkSync(join(PACKAGE, '../../node_modules'), join(folder.version(OLD), 'node_modules'))
  writeRunFile(folder.version(OLD), process.execPath)
  folder.choose(OLD)
  const command = async (...words: string[]) => {
    const env = { ...withNpm('exit 0'), HEARTH_DEVICE_HOME: home }
    const child = spawn(process.execPath, [join(folder.version(OLD), 'src/main.ts'), ...words], { env })
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code: code as number, said: stdout + stderr }
  }
  return { gateway, folder, command }
}

let good: Buffer
let evil: Buffer
let named: NamedApp
beforeEach(() => {
  good = makeApp('good', { version: '1.1.0' })
  evil = makeApp('evil', { version: '1.1.0' })
  named = { program: 'hearth-device', version: '1.1.0', sha256: hashOf(good) }
})

describe('a gateway that hands out changed code', () => {
  it('gets none of it onto a device that has pinned the seal, whatever it shows, and the named code still comes', async () => {
    const { gateway, folder, command } = await installDevice()
    const [older, newest] = lists([], [named])
    gateway.showSeal(newest!)
    expect(await command('seal', seal)).toMatchObject({
      code: 0,
      said: expect.stringContaining(`1.1.0, ${named.sha256}`),
    })
    gateway.handOut('1.1.0', evil)
    const rejected = await command('update', '--yes')
    expect(rejected).toMatchObject({ code: 1, said: expect.stringMatching(/doesn't name device app 1\.1\.0/) })
    expect(rejected.said).toMatch(/ask whoever has the seal hs-[\w-]+ .* hearth-seal app/)
    // With the checksum of the good one, or a list of its own.
    gateway.handOut('1.1.0', evil, named.sha256)
    expect(await command('update', '--yes')).toMatchObject({ code: 1, said: expect.stringContaining('Wrong checksum') })
    const forged = writeDeviceList(
      { organization, number: 3, signedAt: 1, devices: [], apps: [{ ...named, sha256: hashOf(evil) }] },
      newSigningKey(),
    )
    gateway.handOut('1.1.0', evil)
    gateway.showSeal({ ...newest, devices: forged })
    expect((await command('update', '--yes')).code).toBe(1)
    // Not even the good one with a list that is over.
    gateway.handOut('1.1.0', good)
    gateway.showSeal(older!)
    expect(await command('update')).toMatchObject({ code: 1, said: expect.stringContaining('older list') })
    expect(folder.current()).toBe(OLD)
    gateway.showSeal(newest!)
    expect(await command('update')).toMatchObject({ code: 0, said: expect.stringContaining('Updated to 1.1.0') })
  })

  it('gets no build onto a device that the seal has named and replaced since', async () => {
    const { gateway, folder, command } = await installDevice()
    const fixed = makeApp('fixed', { version: '1.1.0' })
    const [, both] = lists([named], [named, { ...named, sha256: hashOf(fixed) }])
    gateway.showSeal(both!)
    expect((await command('seal', seal)).code).toBe(0)
    gateway.handOut('1.1.0', good)
    const { code, said } = await command('update', '--yes')
    expect([code, said]).toStrictEqual([1, expect.stringContaining(`It names 1.1.0 (${hashOf(fixed)})`)])
    expect(folder.current()).toBe(OLD)
    gateway.handOut('1.1.0', fixed)
    expect(await command('update')).toMatchObject({ code: 0, said: expect.stringContaining('Updated to 1.1.0') })
  })

  it('is never silent on a device that has pinned none', async () => {
    const { gateway, folder, command } = await installDevice()
    gateway.handOut('1.1.0', evil)
    const { code, said } = await command('update')
    expect([code, said]).toStrictEqual([1, expect.stringContaining(hashOf(evil))])
    expect(said).toContain('from the gateway alone')
    expect(folder.current()).toBe(OLD)
  })
})
