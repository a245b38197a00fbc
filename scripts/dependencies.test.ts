import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const IMPORT = /(?:\bfrom |\bimport |\bimport\(\s*)'((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^']*)?'/g
const OF_TESTS = /\.test\.tsx?$|\.contract\.ts$|\/testing\//
const BUILT_IN = new Set(builtinModules)

/** The console is built before it is handed out, so all it needs is for development. */
const RUNNING = globSync('packages/*/package.json', { cwd: ROOT }).filter((path) => !path.includes('/console/'))

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

describe('what runs without the packages for tests, as "npm ci --omit=dev" installs it', () => {
  it.each(RUNNING)('%s lists what its program imports', (path) => {
    const folder = join(ROOT, path, '..')
    const manifest = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Manifest
    const listed = { ...manifest.dependencies, ...manifest.optionalDependencies, [manifest.name]: '' }
    const files = globSync('src/**/*.{ts,js}', { cwd: folder }).filter((file) => !OF_TESTS.test(file))
    const unlisted = files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(IMPORT)]
        .map(([, name = '']) => name)
        .filter((name) => !BUILT_IN.has(name) && !name.startsWith('node:') && !Object.hasOwn(listed, name))
        .map((name) => `${file}: ${name}`),
    )
    expect(unlisted).toEqual([])
  })
})
