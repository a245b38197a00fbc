import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const HERE = pathToFileURL(join(import.meta.dirname, 'quick-imports.ts')).href

/** Runs a program that imports a package with these files, and returns what it prints. */
function run(files: Readonly<Record<string, string>>, program: string): string {
  const root = mkdtempSync(join(tmpdir(), 'hearth-imports-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(`node_modules/drizzle-orm/${path}`, text)
  write('main.mjs', `import { openQuickImports } from '${HERE}'\nopenQuickImports()\n${program}`)
  return execFileSync(process.execPath, [join(root, 'main.mjs')], { encoding: 'utf8' }).trim()
}

const MANIFEST = '{ "type": "module", "exports": { ".": { "import": "./index.js", "require": "./index.cjs" } } }'

it('loads the files of a package with a large package.json without looking into one for each file', () => {
  const files = {
    'package.json': MANIFEST,
    'index.js': "export { part } from './deep/part.js'",
    'deep/part.js': "export const part = 'there'",
    // Node would stop at it.
    'deep/package.json': 'not JSON',
  }
  expect(run(files, "console.log((await import('drizzle-orm')).part)")).toBe('there')
})

it('leaves what is required as it is', () => {
  const files = {
    'package.json': MANIFEST,
    'index.cjs': "exports.part = require('./part.cjs')",
    'part.cjs': "module.exports = 'there'",
  }
  const program = "import { createRequire } from 'node:module'\n"
  expect(run(files, `${program}console.log(createRequire(import.meta.url)('drizzle-orm').part)`)).toBe('there')
})
