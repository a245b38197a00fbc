// Turns a machine that has only npm into a device, with the command that the console shows.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { quote } from '@hearth/command-line/terminal/quote'
import { versionOf } from '@hearth/command-line/version'
import { afterAll, describe, expect, it } from 'vitest'
import ownPackage from '../../packages/device/package.json' with { type: 'json' }
import { anotherMachine } from '../harness/processes/another-machine.ts'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { signInOwner } from '../harness/sign-in-owner.ts'
import { startSystem } from '../harness/start-system.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'

const MODEL = 'tiny'
const ASK = { model: MODEL, temperature: 0, messages: [{ role: 'user', content: 'What is the capital of Italy?' }] }

const system = await startSystem({ settings: { ACCESS_POLL_MS: '100' } })
const machine = anotherMachine()
const owner = await signInOwner(system)
const organization = system.organizations.home
afterAll(async () => {
  machine[Symbol.dispose]()
  await system[Symbol.asyncDispose]()
})

const installed = join(machine.home, '.hearth-device')

describe('a machine with npm and nothing else', () => {
  it('becomes a device with one pasted command and a token, and serves a model that no other device has', async () => {
    const { body } = await owner.post<{ command: string }>(`/organizations/${organization}/enrolments`)
    const line = machine.paste(`${body.command} --name studio --model ${quote(TINY_PATH)}`)
    await line.heard(/Checksum OK/)
    await line.heard(/Installed device app \S+ in /)
    await line.heard(/now device "studio"/)
    await line.heard(/Connected to/)
    await line.heard(/tiny: ready/)
    await owner.send('PUT', `/organizations/${organization}/models`, { name: MODEL, state: 'enabled' })
    const { choices } = expectCompletion(await system.client.post(ASK))
    expect(choices[0]!.message.content).toContain('Rome')
    await line.interrupt()
    expect(line.output()).toMatch(/Stopping…\n[\s\S]*Stopped/)
    expect(line.output()).not.toContain('Stopping now')
    // The command takes the next step itself.
    expect(line.output()).not.toContain('Next:')
  })

  it('becomes a device with a code that is approved in the console, using the installed app', async () => {
    rmSync(join(installed, 'credential.json'))
    const words = `--package=${system.origin}/device/v1/installer.tgz -- hearth-device-install ${system.origin}`
    const line = machine.paste(`npm exec --yes ${words} --name attic`)
    const [, userCode] = await line.heard(/enter the code ([A-Z-]+)/)
    await line.heard(/is already installed/)
    expect((await owner.post(`/organizations/${organization}/device-codes/approve`, { userCode })).status).toBe(204)
    await line.heard(/now device "attic"/)
    await line.heard(/tiny: ready/)
    const { body } = await owner.get<{ devices: { name: string; state: string; app: string }[] }>(
      `/organizations/${organization}/devices`,
    )
    expect(body.devices.find(({ name }) => name === 'attic')).toMatchObject({
      state: 'linked',
      app: versionOf(ownPackage),
    })
    await line.interrupt()
    expect(line.output()).toContain('Stopped')
  })

  it('can also start it with its plain launcher, on the Node of the machine', async () => {
    const version = (await readFile(join(installed, 'app/current'), 'utf8')).trim()
    const line = machine.paste(
      `node ${quote(join(installed, 'app', version, 'launcher/hearth-device.cjs'))} doctor --engine`,
    )
    expect(await line.exited).toBe(0)
    expect(line.output()).toMatch(/Node 26\.[\s\S]*✓ Engine: loaded/)
  })

  it('runs the app in place of the installer, stops on hearth-device stop, and is as before after uninstall', async () => {
    const program = quote(join(installed, 'bin/hearth-device'))
    // A Node that can replace itself: those from 22.15 on.
    const node = `env PATH=${quote(`${dirname(process.execPath)}${delimiter}${process.env['PATH']}`)}`
    const words = `--package=${system.origin}/device/v1/installer.tgz -- hearth-device-install ${system.origin}`
    const line = machine.paste(`${node} npm exec --yes ${words}`)
    await line.heard(/Connected to/)
    expect(commandsOf(machine.home).filter((command) => /node\0\S*bin\/hearth-device-install/.test(command))).toEqual(
      [],
    )

    const stop = machine.paste(`${program} stop`)
    expect(await stop.exited, stop.output()).toBe(0)
    await line.exited
    expect(line.output()).toContain('Stopped')

    const asked = machine.paste(`${program} uninstall`)
    expect(await asked.exited).toBe(1)
    expect(asked.output()).toMatch(/Nobody is here to answer, so nothing was removed[\s\S]*: --yes/)
    expect(existsSync(join(installed, 'credential.json'))).toBe(true)

    await writeFile(join(installed, 'notes.txt'), 'mine')
    const uninstall = machine.paste(`${program} uninstall --yes`)
    expect(await uninstall.exited, uninstall.output()).toBe(0)
    expect(uninstall.output()).toMatch(
      /is off this machine[\s\S]*Left in .*: notes\.txt[\s\S]*under Devices, remove "attic"/,
    )
    expect(await readdir(installed)).toEqual(['notes.txt'])
  })
})

/** Of every process of that home. Linux only shows them so. */
function commandsOf(home: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`\0HOME=${home}\0`)
        return isOurs ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1')] : []
      } catch {
        return []
      }
    })
}
