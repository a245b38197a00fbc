import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { appFolder, writeRunFile } from '@hearth/command-line/install/app-folder'
import { DEVICE_APP } from '@hearth/command-line/install/program'
import { saveCredential } from '../state/credential.ts'
import { makeApp, startAppGateway, withNpm } from '@hearth/command-line/testing/app-gateway'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))
const OLD = '1.0.0-000000000000'

/** Sets this app up as if it had been installed from a gateway. */
async function installSelf() {
  const gateway = await startAppGateway()
  const home = scratchFolder()
  const folder = appFolder(home, DEVICE_APP)
  const login = { device: 'd', organization: 'o', name: 'studio', credential: 'secret' }
  saveCredential(join(home, 'credential.json'), { ...login, gateway: gateway.url.href })
  mkdirSync(folder.version(OLD), { recursive: true })
  cpSync(join(PACKAGE, 'package.json'), join(folder.version(OLD), 'package.json'))
  cpSync(join(PACKAGE, 'src'), join(folder.version(OLD), 'src'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  })
  symlinkSync(join(PACKAGE, '../../node_modules'), join(folder.version(OLD), 'node_modules'))
  writeRunFile(folder.version(OLD), process.execPath)
  folder.choose(OLD)
  const command = async (words: string[]) => {
    const { NODE_COMPILE_CACHE } = process.env
    const environment = { ...withNpm('exit 0'), NODE_COMPILE_CACHE, HEARTH_DEVICE_HOME: home }
    const main = join(folder.version(OLD), 'src/main.ts')
    const child = spawn(process.execPath, [main, ...words], { env: environment })
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { said: stdout + stderr, code: code as number }
  }
  return { gateway, folder, command }
}

describe('update', () => {
  it("updates to the gateway's version, and then says that it is up to date", async () => {
    const { gateway, folder, command } = await installSelf()
    gateway.handOut('9.9.9', makeApp('nine', { version: '9.9.9' }))
    expect(await command(['update', '--check'])).toMatchObject({
      code: 3,
      said: expect.stringContaining('Update available: 9.9.9'),
    })
    expect(folder.current()).toBe(OLD)
    const asked = await command(['update'])
    expect(asked).toMatchObject({ code: 1, said: expect.stringMatching(/from the gateway alone[\s\S]*Nobody is here/) })
    expect(asked.said).toContain(`Now:  ${'0'.repeat(12)}`)
    expect(folder.current()).toBe(OLD)
    const updated = await command(['update', '--yes'])
    expect(updated).toMatchObject({
      code: 0,
      said: expect.stringMatching(/Updated to 9\.9\.9 \([0-9a-f]{12}\)/),
    })
    expect(folder.current()).toMatch(/^9\.9\.9-[0-9a-f]{12}$/)
    expect(await command(['update'])).toMatchObject({ code: 0, said: expect.stringContaining('Up to date: 9.9.9') })
  })
})
