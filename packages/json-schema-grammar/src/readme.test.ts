import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const PACKAGE = new URL('..', import.meta.url)
const TYPESCRIPT = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', PACKAGE))

const readme = await readFile(new URL('README.md', PACKAGE), 'utf8')
/** A block of JavaScript, and what it prints. */
const examples = Array.from(readme.matchAll(/```js\n(.*?)```\n\n```\w+\n(.*?)```/gs), ([, code = '', printed]) => ({
  title: code.match(/\w+(?=\()/g)?.find((name) => readme.includes(`| \`${name}\``)) ?? code,
  code,
  printed,
}))

describe('the package as others install it', () => {
  let project = ''

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'hearth-grammar-'))
    const folder = join(project, 'node_modules/@hearth/json-schema-grammar')
    const at = { cwd: PACKAGE }
    await run(process.execPath, [TYPESCRIPT, '-p', 'tsconfig.build.json', '--outDir', folder], at)
    await run(process.execPath, ['write-package.ts', folder], at)
  })

  afterAll(async () => rm(project, { recursive: true }))

  it.each(examples)('runs as its README says: $title', async ({ code, printed }) => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: project })
    expect(stdout).toBe(printed)
  })

  it('has a README that lists each of its exports once', async () => {
    const index = await readFile(new URL('src/index.ts', PACKAGE), 'utf8')
    const exported = Array.from(index.matchAll(/export (?:type )?\{(.*?)\} from/gs)).flatMap(([, names = '']) =>
      names.split(',').map((name) => name.replace(/\btype\b/, '').trim()),
    )
    const [, api = ''] = readme.split('\n## API\n')
    const listed = Array.from(api.split('\n## ')[0]!.matchAll(/^\| `(\w+)`/gm), ([, name = '']) => name)
    expect(listed.toSorted()).toEqual(exported.filter((name) => name !== '').toSorted())
  })
})
