import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { MODEL_LIST } from '@hearth/model-list'
import { describe, expect, it, onTestFinished } from 'vitest'
import { removeFolder } from '../harness/remove-folder.ts'
import { BUILT, CONSOLE } from './harness/built-console.ts'

const MOST_BYTES = 250_000
const { resolve } = createRequire(`${CONSOLE}package.json`)
/** The command is in the console's dependencies, next to the folder of its code. */
const GENERATOR = join(dirname(resolve('openapi-typescript')), '../bin/cli.js')
const VITE = join(dirname(resolve('vite/package.json')), 'bin/vite.js')

/** Runs a program in the console's folder, for files in a folder that goes away with the test. */
async function make(program: string, words: (folder: string) => readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-console-'))
  onTestFinished(() => removeFolder(folder))
  await promisify(execFile)(process.execPath, [program, ...words(folder)], { cwd: CONSOLE })
  return folder
}

/** The bytes of every file, by its path. */
function read(folder: string): Map<string, string> {
  const paths = globSync('**/*.*', { cwd: folder }).toSorted()
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'base64')]))
}

describe('the built console', () => {
  it('is what its sources, the pages of Help and the lockfile make', async () => {
    const made = read(
      await make(VITE, (folder) => ['build', '--logLevel', 'error', '--emptyOutDir', '--outDir', folder]),
    )
    const kept = read(BUILT)
    const differing = [...new Set([...made.keys(), ...kept.keys()])].filter((path) => made.get(path) !== kept.get(path))
    expect(made.size).toBeGreaterThan(50)
    expect(differing, 'run "npm run console", and commit packages/console/built').toStrictEqual([])
  })

  it('has each font once, in the format that every browser takes', () => {
    const fonts = globSync('assets/*.{woff2,woff,ttf,otf}', { cwd: BUILT })
    const sheets = globSync('assets/*.css', { cwd: BUILT }).map((path) => readFileSync(join(BUILT, path), 'utf8'))
    expect(fonts.filter((path) => !path.endsWith('.woff2'))).toStrictEqual([])
    expect(sheets.join('')).not.toMatch(/\.(woff|ttf)\b/)
    expect(fonts.filter((path) => path.includes('KaTeX'))).toHaveLength(20)
  })

  /** The files that the page references, and everything they import statically. */
  function firstLoad(): string[] {
    const html = readFileSync(`${BUILT}/index.html`, 'utf8')
    const named = Array.from(html.matchAll(/(?:src|href)="(\/[^"]+)"/g), ([, path]) => path!)
    const found = new Set<string>()
    for (const path of named) collect(path, found)
    return ['/index.html', ...found]
  }

  function collect(path: string, found: Set<string>): void {
    if (found.has(path)) return
    found.add(path)
    if (!path.endsWith('.js')) return
    const code = readFileSync(BUILT + path, 'utf8')
    for (const [, next] of code.matchAll(/(?:^|[;}\n])import(?:[^"'()]*?from)?["']\.\/([^"']+)["']/g))
      collect(`/assets/${next!}`, found)
  }

  it('loads at most 250 KB, compressed, before its first page', () => {
    const files = firstLoad()
    const bytes = files.reduce((sum, path) => sum + gzipSync(readFileSync(BUILT + path)).length, 0)
    expect(files.some((path) => path.endsWith('.js'))).toBe(true)
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES)
    expect(bytes).toBeGreaterThan(50_000)
  })

  it('loads charts, Markdown, formulas, colors of code and common passwords only when needed', () => {
    const code = firstLoad()
      .filter((path) => path.endsWith('.js'))
      .map((path) => readFileSync(BUILT + path, 'utf8'))
      .join('')
    expect(code).not.toContain('recharts')
    expect(code).not.toContain('linkify')
    expect(code).not.toContain('katex-display')
    expect(code).not.toContain('hljs')
    expect(code).not.toContain('qwertyuiop')
  })

  it('leaves out the list of models, which the gateway sends', () => {
    const scripts = globSync('assets/*.js', { cwd: BUILT }).map((path) => readFileSync(join(BUILT, path), 'utf8'))
    // Help has examples of commands, which name one.
    const examples = readFileSync(`${CONSOLE}../../docs/commands.md`, 'utf8')
    const repositories = MODEL_LIST.map(({ hub }) => hub.repository).filter((name) => !examples.includes(name))
    expect(repositories.length).toBeGreaterThan(MODEL_LIST.length - 3)
    expect(scripts.length).toBeGreaterThan(0)
    expect(repositories.filter((repository) => scripts.some((code) => code.includes(repository)))).toEqual([])
  })

  it('comes with the licenses of what it contains, which Help links to', () => {
    const [notices = ''] = globSync('assets/THIRD-PARTY-NOTICES-*.txt', { cwd: BUILT })
    for (const name of ['react', 'katex', 'markdown-it', 'radix-ui', 'recharts', 'Geist'])
      expect(readFileSync(join(BUILT, notices), 'utf8')).toContain(`\n${name} `)
    const scripts = globSync('assets/*.js', { cwd: BUILT }).map((path) => readFileSync(join(BUILT, path), 'utf8'))
    expect(scripts.some((code) => code.includes(`/${notices}`))).toBe(true)
  })

  it('has no inline scripts or styles', () => {
    const html = readFileSync(`${BUILT}/index.html`, 'utf8')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/)
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })
})

describe('the typed client', () => {
  it('matches the OpenAPI description of the console API', async () => {
    const file = 'schema.d.ts'
    const made = await make(GENERATOR, (folder) => ['../gateway/openapi.json', '-o', join(folder, file)])
    const [now, kept] = await Promise.all(
      [made, `${CONSOLE}src/api`].map(async (folder) => readFile(join(folder, file), 'utf8')),
    )
    expect(kept, 'run npm run client to update it').toBe(now)
  })
})
