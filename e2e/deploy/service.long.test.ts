// The gateway as the service of a real systemd.

import { freePort } from '@hearth/gateway/local-servers'
import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { isInstalled, mayMount } from '../harness/leave-out.ts'
import { bootSystemd, SYSTEMD, type BootedSystemd } from './boot-systemd.ts'

const HEARTH = '/opt/hearth/node_modules/.bin/hearth'
const SHOW = 'systemctl show --value -p'
/** What PostgreSQL notes of itself in its folder: 1 after it was stopped in order, 6 while it runs and after it was killed. */
const DATABASE_STATE = 'od -A n -t d4 -j 16 -N 4 /var/lib/hearth/gateway/postgres/global/pg_control'

const WHAT = 'the gateway as a service'

let systemd: BootedSystemd

async function isActive(): Promise<void> {
  await expect.poll(() => systemd.run(`${SHOW} ActiveState hearth-gateway`)).toBe('active')
}

describe.runIf(mayMount(WHAT) && isInstalled(SYSTEMD, '--version', WHAT))(WHAT, () => {
  beforeAll(async () => {
    systemd = await bootSystemd({ PORT: String(await freePort()), PUBLIC_URL: 'https://hearth.example.com' })
  })
  afterAll(() => systemd[Symbol.asyncDispose]())

  it.each(['hearth', 'nobody'])('is what hearth status of the user %s finds', async (user) => {
    const said = await systemd.run(`${HEARTH} status`, user)
    expect(said).toMatch(/^A gateway is running, run by systemd \(hearth-gateway\.service\)\.\n/)
    expect(said).toContain('Base URL   https://hearth.example.com/openai/v1\n')
    expect(said).toContain('Data       /var/lib/hearth/gateway\n')
  })

  it('is what commands of its own user act on, with its own address in links', async () => {
    expect(await systemd.run(`${HEARTH} admin set-up link`, 'hearth')).toContain('https://hearth.example.com/set-up#')
    const data = '--data /var/lib/hearth/gateway'
    expect(await systemd.run(`${HEARTH} admin set-up link ${data}`, 'hearth')).toContain('https://hearth.example.com/')
    await expect(systemd.run(`${HEARTH} stop`, 'hearth')).rejects.toThrow('systemctl stop hearth-gateway.service')
  })

  it.each([
    ['hangs', 'STOP'],
    ['is killed', 'KILL'],
  ])('that %s is ended, and its database is stopped in order', async (_how, signal) => {
    await systemd.run('systemctl restart hearth-gateway')
    await isActive()
    expect(await systemd.run(DATABASE_STATE)).toBe('6')
    await systemd.run(`kill -${signal} $(${SHOW} MainPID hearth-gateway)`)
    await expect.poll(() => systemd.run(`${SHOW} ActiveState hearth-gateway`)).not.toBe('active')
    await expect.poll(() => systemd.run(DATABASE_STATE)).toBe('1')
  })
})
