import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newAgreementKey, readAdministrators, readSealText, writeDeviceList } from '@hearth/sealing'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadOwnKey } from '../state/signing-key.ts'
import { sealFolder } from '../state/folder.ts'
import { runHere, type Ran } from '../testing/run-here.ts'
import { API_KEY, namesOnList, startStandInGateway, type StandInGateway } from '../testing/stand-in-gateway.ts'

const studio = { id: 'device-1', name: 'studio', key: newAgreementKey().publicKey, models: ['m'] }
const laptop = { id: 'device-2', name: 'laptop', key: newAgreementKey().publicKey, models: [] }

let gateway: StandInGateway
let home: string
let seal: string

/** Runs a command of the administrator who has the seal. */
function run(words: readonly string[], answers?: readonly string[], folder = home): Promise<Ran> {
  const environment = { HEARTH_URL: gateway.url, HEARTH_API_KEY: API_KEY, HEARTH_SEAL: seal, HEARTH_SEAL_HOME: folder }
  return runHere(words, environment, answers)
}

const failure = (message: string | RegExp) => ({ code: 1, stderr: expect.stringMatching(message) as string })

function signList(number: number, devices: Parameters<typeof writeDeviceList>[0]['devices']) {
  const list = { organization: 'organization-1', number, signedAt: 5, devices }
  return writeDeviceList(list, loadOwnKey(sealFolder(home)))
}

beforeEach(async () => {
  gateway = await startStandInGateway()
  gateway.state.online = [studio, laptop]
  home = join(scratchFolder(), 'seal')
  seal = ''
  const made = await run(['init', '--json'])
  seal = (JSON.parse(made.stdout) as { seal: string }).seal
  gateway.state.seal = seal
})

describe('hearth-seal init', () => {
  it('makes a seal that only its owner can read, and says what to do with it', async () => {
    const folder = join(scratchFolder(), 'new')
    const { stdout, code } = await run(['init'], undefined, folder)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /hs-[\w-]{48}\n[\s\S]*Fingerprint: (\w+ ){7}\w+ \([\s\S]*Settings → Sealed requests[\s\S]*approve/,
    )
    expect(statSync(join(folder, 'seal.json')).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('never replaces a seal, unless it is told to, and keeps the old one then', async () => {
    const before = readFileSync(join(home, 'seal.json'), 'utf8')
    expect(await run(['init'])).toMatchObject(failure(/already a key here[\s\S]*--new/))
    expect(readFileSync(join(home, 'seal.json'), 'utf8')).toBe(before)
    const { stdout } = await run(['init', '--new'])
    const [, old = ''] = /The old one is in (.+)/.exec(stdout) ?? []
    expect(readFileSync(old, 'utf8')).toBe(before)
    expect(readFileSync(join(home, 'seal.json'), 'utf8')).not.toBe(before)
  })
})

describe('hearth-seal approve', () => {
  it('goes through all devices that are not approved, shows what to compare, and signs one list', async () => {
    const { stdout, code } = await run(['approve'], ['yes', 'no'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/Device "studio"[\s\S]*Fingerprint: (\w+ ){7}\w+\n[\s\S]*([0-9a-f]{4} ){7}[0-9a-f]{4}/)
    expect(stdout).toContain('hearth-device status')
    expect(namesOnList(gateway)).toEqual(['studio'])
    await run(['approve'], ['y'])
    expect(namesOnList(gateway)).toEqual(['studio', 'laptop'])
    expect((await run(['approve'])).stdout).toContain('Nothing to approve: 2 devices on the list')
  })

  it('asks nobody with --yes, and says so where nobody can be asked', async () => {
    expect(await run(['approve', 'laptop'])).toMatchObject(failure(/Nobody is here to answer[\s\S]*--yes/))
    expect(await run(['approve', 'laptop', '--yes'])).toMatchObject({ code: 0 })
    expect(namesOnList(gateway)).toEqual(['laptop'])
  })

  it('warns about a device that has another key than before, and replaces the key', async () => {
    await run(['approve', 'studio', '--yes'])
    const key = newAgreementKey().publicKey
    gateway.state.online = [{ ...studio, key }]
    expect((await run(['list'])).stdout).toMatch(/studio\s+new key/)
    expect((await run(['approve', '--yes'])).stdout).toContain('approved with another key')
    expect(namesOnList(gateway)).toEqual(['studio'])
    expect(gateway.state.devices?.text).toContain(key)
  })

  it('explains what it cannot approve', async () => {
    gateway.state.online = [studio, { ...laptop, name: 'studio' }, { id: 'device-3', name: 'attic', models: [] }]
    expect((await run(['approve', 'cellar', '--yes'])).stderr).toContain('No device "cellar" is online')
    expect((await run(['approve', 'studio', '--yes'])).stderr).toContain('name it by its ID')
    expect((await run(['approve', 'attic', '--yes'])).stderr).toContain('hearth-device update')
  })

  it('signs again on top of what another administrator signed at the same time', async () => {
    const theirs = { id: 'device-9', name: 'theirs', key: newAgreementKey().publicKey, from: 1 }
    const signTheirs = () => (gateway.state.devices = signList(1, [theirs]))
    gateway.conflicts = { left: 1, before: signTheirs }
    const { stdout } = await run(['approve', 'studio', '--yes'])
    expect(stdout).toContain('This is list 2')
    expect(namesOnList(gateway)).toEqual(['theirs', 'studio'])
    gateway.conflicts = { left: 3, before: () => {} }
    expect(await run(['approve', 'laptop', '--yes'])).toMatchObject(failure('keep signing at the same time'))
    expect(gateway.asked.filter(({ method }) => method === 'PUT')).toHaveLength(5)
  })
})

describe('a second administrator', () => {
  async function join2(): Promise<{ folder: string; key: string }> {
    const folder = join(scratchFolder(), 'second')
    const { stdout } = await run(['init', '--join', '--json'], undefined, folder)
    return { folder, key: (JSON.parse(stdout) as { administrator: string }).administrator }
  }

  it('signs once the seal vouches for them, and can name nobody else', async () => {
    const { folder, key } = await join2()
    expect(await run(['approve', 'studio', '--yes'], undefined, folder)).toMatchObject(
      failure(`hearth-seal approve ${key}`),
    )
    expect((await run(['approve', key, '--name', 'Ann', '--yes'])).stdout).toContain('Ann can approve')
    expect((await run(['approve', 'studio', '--yes'], undefined, folder)).code).toBe(0)
    expect(namesOnList(gateway, key)).toEqual(['studio'])
    const other = await join2()
    expect(await run(['approve', other.key, '--yes'], undefined, folder)).toMatchObject(
      failure('Only whoever has the seal itself'),
    )
  })

  it('takes no list of devices along when they are revoked', async () => {
    const { folder, key } = await join2()
    await run(['approve', key, '--name', 'Ann', '--yes'])
    await run(['approve', 'studio', '--yes'], undefined, folder)
    expect(await run(['revoke', key, '--yes'])).toMatchObject({ code: 0 })
    const root = readSealText(seal)!.publicKey
    expect(readAdministrators(gateway.state.administrators, root)).toMatchObject({ document: { administrators: [] } })
    expect(namesOnList(gateway)).toEqual(['studio'])
    expect((await run(['list'])).code).toBe(0)
  })
})

describe('hearth-seal list and revoke', () => {
  it('show and change who is approved', async () => {
    await run(['approve', 'studio', '--yes'])
    const { stdout } = await run(['list', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      seal,
      number: 1,
      mode: 'optional',
      devices: [
        { name: 'laptop', state: 'not approved', isOnline: true },
        { name: 'studio', state: 'approved', isOnline: true, fingerprint: { words: expect.any(String) } },
      ],
    })
    expect((await run(['revoke', 'cellar', '--yes'])).stderr).toContain('No approved device is called "cellar"')
    expect((await run(['revoke', 'studio'], ['n'])).code).toBe(0)
    expect(namesOnList(gateway)).toEqual(['studio'])
    expect((await run(['revoke', 'studio'], ['y'])).stdout).toContain('This is list 2')
    expect(namesOnList(gateway)).toEqual([])
  })

  it('notice every lie about the lists', async () => {
    await run(['approve', 'studio', '--yes'])
    const older = gateway.state.devices!
    await run(['revoke', 'studio', '--yes'])
    const newest = gateway.state.devices!
    const seen = async (change: Partial<StandInGateway['state']>) => {
      const before = { ...gateway.state }
      Object.assign(gateway.state, change)
      const { code, stderr } = await run(['list'])
      gateway.state = before
      return [code, stderr.split('\n', 1)[0]]
    }
    expect(await seen({ devices: older })).toEqual([1, expect.stringContaining('older list of approved devices')])
    expect(await seen({ devices: undefined! })).toEqual([1, expect.stringContaining('older list')])
    const changed = { ...newest, text: newest.text.replace('"devices":[]', '"devices": []') }
    expect(await seen({ devices: changed })).toEqual([1, expect.stringContaining('not signed with your seal')])
    const twin = signList(2, [])
    expect(await seen({ devices: twin })).toEqual([1, expect.stringContaining('with the same number')])
    expect(await seen({ organization: 'organization-2' })).toEqual([1, expect.stringContaining('another organization')])
    const other = JSON.parse((await run(['init', '--json'], undefined, join(scratchFolder(), 'x'))).stdout) as {
      seal: string
    }
    expect(await seen({ seal: other.seal })).toEqual([1, expect.stringContaining('another seal')])
    expect(await seen({})).toEqual([0, ''])
  })
})

describe('hearth-seal app', () => {
  const [device, sealing] = ['a'.repeat(64), 'b'.repeat(64)]
  beforeEach(() => {
    gateway.handouts['/device/v1/app.json'] = { version: '1.0.0', sha256: device, bytes: 1 }
    gateway.handouts['/seal/v1/app.json'] = { version: '1.0.0', sha256: sealing, bytes: 1 }
  })

  it('shows what the gateway hands out, and names what somebody else has computed', async () => {
    expect((await run(['app'])).stdout).toMatch(
      /hearth-device 1\.0\.0 \(a{64}\): not named[\s\S]*hearth-seal 1\.0\.0 \(b{64}\): not named/,
    )
    expect((await run(['app', device], ['no'])).stdout).not.toContain('Named')
    expect((await run(['app', device], ['yes'])).stdout).toContain('Named hearth-device 1.0.0. This is list 1')
    expect((await run(['app'])).stdout).toMatch(/hearth-device 1\.0\.0 \(a{64}\): named by the seal/)
    expect((await run(['approve', 'studio', '--yes'])).code).toBe(0)
    expect((await run(['list'])).stdout).toContain(`May be installed: hearth-device 1.0.0, ${device}`)
    expect((await run(['revoke', device, '--yes'])).stdout).toContain('This is list 3')
    expect((await run(['list'])).stdout).not.toContain('May be installed')
  })

  it('lets the newest build of a program replace those before it, until one of them is named again', async () => {
    const newer = 'd'.repeat(64)
    await run(['app', device, '--yes'])
    await run(['app', sealing, '--yes'])
    gateway.handouts['/device/v1/app.json'] = { version: '1.0.0', sha256: newer, bytes: 1 }
    await run(['app', newer, '--yes'])
    const { stdout } = await run(['list'])
    expect(stdout.match(/May be installed: .*/g)).toStrictEqual([
      `May be installed: hearth-seal 1.0.0, ${sealing}`,
      `May be installed: hearth-device 1.0.0, ${newer}`,
    ])
    gateway.handouts['/device/v1/app.json'] = { version: '1.0.0', sha256: device, bytes: 1 }
    expect((await run(['app'])).stdout).toMatch(/hearth-device 1\.0\.0 \(a{64}\): replaced by a newer one/)
    expect((await run(['app', device, '--yes'])).stdout).toContain('Named hearth-device 1.0.0. This is list 4')
    expect((await run(['list'])).stdout).toContain(`May be installed: hearth-device 1.0.0, ${device}`)
  })

  it('computes the hash of a checkout or an archive, and names nothing that the gateway has changed', async () => {
    const checkout = scratchFolder()
    const prints = `${device}  hearth-device 1.0.0\n${'c'.repeat(64)}  hearth-seal 1.0.0\n`
    writeFileSync(join(checkout, 'prints.txt'), prints)
    writeFileSync(join(checkout, 'package-lock.json'), '{}')
    writeFileSync(join(checkout, 'package.json'), JSON.stringify({ scripts: { handouts: 'cat prints.txt' } }))
    const { stdout } = await run(['app', checkout, '--yes'])
    expect(stdout).toMatch(/another hearth-seal\. Don't name it[\s\S]*Named hearth-device 1\.0\.0\. This is list 1/)
    const archive = join(scratchFolder(), 'app.tgz')
    writeFileSync(archive, 'something')
    expect(await run(['app', archive, '--yes'])).toMatchObject(failure('hands out nothing with the hash'))
    expect((await run(['app', join(checkout, 'nowhere')])).stderr).toContain('There is no')
  })
})

describe('a lost laptop', () => {
  /** A new machine that has nothing but a copy of seal.json. */
  function restore(copy: string): string {
    const folder = join(scratchFolder(), 'new-laptop')
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(join(folder, 'seal.json'), copy, { mode: 0o600 })
    return folder
  }

  it('is replaced with a copy of the seal, once a person has compared the number of the list', async () => {
    await run(['approve', '--yes'])
    const folder = restore(readFileSync(join(home, 'seal.json'), 'utf8'))
    const asked = await run(['revoke', 'studio'], ['no'], folder)
    expect(asked).toMatchObject(failure('Nothing was signed'))
    expect(asked.stdout).toMatch(/seen no list of this seal before[\s\S]*list 1, signed at \d{4}-/)
    expect(await run(['revoke', 'studio'], ['yes', 'yes'], folder)).toMatchObject({ code: 0 })
    expect(await run(['approve', 'studio'], ['yes'], folder)).toMatchObject({ code: 0 })
    // Whoever saw the lists before accepts the new ones.
    expect(await run(['list'])).toMatchObject({ code: 0, stdout: expect.stringContaining('list 3 of') })
  })

  it('brings no revoked device back, whatever the gateway shows', async () => {
    await run(['approve', 'studio', '--yes'])
    const older = { copy: readFileSync(join(home, 'seal.json'), 'utf8'), devices: gateway.state.devices! }
    await run(['revoke', 'studio', '--yes'])
    const newest = readFileSync(join(home, 'seal.json'), 'utf8')
    gateway.state.devices = older.devices
    // A copy from after the revocation knows better.
    const stopped = await run(['approve', 'laptop', '--yes'], undefined, restore(newest))
    expect(stopped).toMatchObject(failure(/You have signed list 2 [\s\S]*hides/))
    expect(gateway.state.devices).toBe(older.devices)
    // One from before it doesn't, and a person was told to compare, and didn't. Clients do.
    const folder = restore(older.copy)
    gateway.state.online = [laptop]
    expect(await run(['approve', '--yes'], undefined, folder)).toMatchObject({ code: 0 })
    gateway.state.online = [{ ...laptop, id: 'device-3', name: 'cellar' }]
    expect(await run(['approve', '--yes'], undefined, folder)).toMatchObject({ code: 0 })
    expect(namesOnList(gateway)).toEqual(['studio', 'laptop', 'cellar'])
    expect(await run(['list'])).toMatchObject(failure('on top of another one'))
  })
})

describe('settings', () => {
  it('are kept by --save where only their owner can read them', async () => {
    const folder = join(scratchFolder(), 'user')
    const flags = ['--gateway', `${gateway.url}/openai/v1`, '--key', API_KEY, '--seal', seal, '--save']
    expect((await runHere(['list', ...flags], { HEARTH_SEAL_HOME: folder })).code).toBe(0)
    expect(statSync(join(folder, 'settings.json')).mode & 0o777).toBe(0o600)
    expect((await runHere(['--home', folder, 'list'])).code).toBe(0)
  })

  it.each([
    [['list'], {}, /Which gateway\?[\s\S]*HEARTH_URL/],
    [['list', '--gateway', 'https://h.example.com'], {}, /Which seal\?[\s\S]*ask an administrator/],
    [['list', '--gateway', 'https://h.example.com', '--seal', 'hs-abc'], {}, /not a seal/],
    [['list', '--gateway', 'http://h.example.com'], {}, /not be encrypted/],
    [['approve', '--gateway', 'http://127.0.0.1:9'], { HEARTH_API_KEY: 'k' }, /Can't reach the gateway/],
    [['proxy', '--port', 'many', '--gateway', 'http://127.0.0.1:9'], {}, /"many" is not a port/],
  ])('that are missing or wrong are explained: %o', async (words, environment, message) => {
    const folder = join(scratchFolder(), 'user')
    const pinned = words.includes('approve') || words.includes('proxy') ? { HEARTH_SEAL: seal } : {}
    const ran = await runHere(words, { HEARTH_SEAL_HOME: folder, ...pinned, ...environment })
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) })
    expect(existsSync(folder)).toBe(false)
  })

  it('of another organization are not mixed up with a rejected key', async () => {
    const rejected = await runHere(['list'], {
      HEARTH_URL: gateway.url,
      HEARTH_API_KEY: 'wrong',
      HEARTH_SEAL: seal,
      HEARTH_SEAL_HOME: home,
    })
    expect(rejected).toMatchObject(failure('rejected the API key'))
  })
})

it('every command has help with examples, and a wrong one is explained', async () => {
  for (const command of ['init', 'approve', 'list', 'revoke', 'app', 'proxy'])
    expect((await runHere([command, '--help'])).stdout).toContain('\nExamples:\n')
  expect(await runHere(['aprove'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean approve') })
})
