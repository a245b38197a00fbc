import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { expect, it } from 'vitest'
import { testEnvironment } from './test-environment.ts'

const CONFIG = join(import.meta.dirname, '../../vitest.config.ts')
const FOLDERS = { home: '/run/home', temporary: '/run/tmp' }
const OF_THE_PERSON = {
  DATABASE_URL: 'postgres://person@127.0.0.1/database',
  NATS_URL: 'nats://127.0.0.1',
  PGHOST: '127.0.0.1',
  HEARTH_DATA: '/home/person/data',
  HEARTH_DEVICE_HOME: '/home/person/.hearth-device',
  HEARTH_API_KEY: 'sk-hearth-person',
  HF_HOME: '/home/person/models',
  XDG_STATE_HOME: '/home/person/.local/state',
  XDG_RUNTIME_DIR: '/run/user/1',
  NODE_OPTIONS: '--no-warnings',
  INIT_CWD: '/home/person/hearth',
  https_proxy: 'http://127.0.0.1:9',
  ALL_PROXY: 'http://127.0.0.1:9',
  LC_ALL: 'de_DE.UTF-8',
}
const PRINT = `
  const { readdirSync } = await import('node:fs')
  const { HOME, TMPDIR } = process.env
  console.log(JSON.stringify({ environment: process.env, umask: process.umask(), found: [HOME, TMPDIR].map((path) => readdirSync(path)) }))`

interface Seen {
  environment: Record<string, string>
  umask: number
  found: string[][]
}

it('a test run sees nothing of whoever starts it, and leaves nothing behind', () => {
  const [home, temporary] = [join(scratchFolder(), 'home'), join(scratchFolder(), 'kurz nach zwölf')]
  mkdirSync(join(home, '.hearth-device'), { recursive: true })
  mkdirSync(temporary)
  const run = ['-c', 'umask 077; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e']
  const code = `await import(${JSON.stringify(CONFIG)})\n${PRINT}`
  const env = { ...OF_THE_PERSON, PATH: process.env['PATH'], HOME: home, TMPDIR: temporary }
  const { stdout, stderr } = spawnSync('sh', [...run, code], { env: { ...env, NODE_OPTIONS: '' }, encoding: 'utf8' })
  expect(stderr).toBe('')
  const { environment, umask, found } = JSON.parse(stdout) as Seen
  expect(Object.keys(environment).filter((name) => name in OF_THE_PERSON)).toStrictEqual([])
  expect([environment['HOME'], environment['TMPDIR']].every((path) => path?.startsWith(temporary))).toBe(true)
  expect({ umask, found }).toStrictEqual({ umask: 0o022, found: [[], []] })
  expect(readdirSync(temporary)).toStrictEqual([])
})

it('a test file begins in the empty home of its run', () => {
  expect(process.cwd()).toBe(homedir())
  expect(tmpdir()).toBe(join(homedir(), '..', 'tmp'))
  expect(Object.keys(process.env).filter((name) => name in OF_THE_PERSON)).toStrictEqual([])
})

it('npm and pip find packages where the person has them, through their proxy', () => {
  const { HTTPS_PROXY, ...environment } = testEnvironment(
    { HOME: '/home/person', HTTPS_PROXY: 'http://proxy' },
    FOLDERS,
  )
  expect(HTTPS_PROXY).toBeUndefined()
  expect(environment).toMatchObject({
    npm_config_cache: '/home/person/.npm',
    npm_config_userconfig: '/home/person/.npmrc',
    npm_config_https_proxy: 'http://proxy',
    PIP_CACHE_DIR: '/home/person/.cache/pip',
    PIP_PROXY: 'http://proxy',
    HEARTH_SERVERS: '/home/person/.cache/hearth-servers',
  })
  const chosen = { npm_config_cache: '/cache/npm', PIP_CACHE_DIR: '/cache/pip', HEARTH_TEST_GATEWAYS: '3' }
  expect(testEnvironment({ HOME: '/home/person', ...chosen }, FOLDERS)).toMatchObject(chosen)
})
