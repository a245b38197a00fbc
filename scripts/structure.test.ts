import { describe, expect, it } from 'vitest'
import { findCircles, findCrowds, findEncodedPaths, findSharedPlaces, MAX_FILES } from './structure.ts'

describe('findCircles', () => {
  it('finds two files that import each other, even if only for a type', () => {
    const sources = new Map([
      ['src/a.ts', "import type { B } from './b.ts'"],
      ['src/b.ts', "import { a } from './a.ts'"],
      ['src/c.ts', "import { a } from './a.ts'"],
    ])

    expect(findCircles(sources)).toEqual([{ folder: 'src', entries: ['a.ts', 'b.ts'] }])
  })

  it('finds folders that import each other through different files', () => {
    const sources = new Map([
      ['src/one/a.ts', "import { b } from '../two/deep/b.ts'"],
      ['src/two/deep/b.ts', ''],
      ['src/two/c.ts', "import { d } from '../one/d.ts'"],
      ['src/one/d.ts', ''],
    ])

    expect(findCircles(sources)).toEqual([{ folder: 'src', entries: ['one', 'two'] }])
  })

  it('finds a circle of three once', () => {
    const sources = new Map([
      ['a.ts', "import './b.ts'"],
      ['b.ts', "const b = await import('./c.ts')"],
      ['c.ts', "export * from './a.ts'"],
    ])

    expect(findCircles(sources)).toEqual([{ folder: '', entries: ['a.ts', 'b.ts', 'c.ts'] }])
  })

  it('keeps two circles of one folder apart', () => {
    const sources = new Map([
      ['a.ts', "import './b.ts'\nimport './c.ts'"],
      ['b.ts', "import './a.ts'"],
      ['c.ts', "import './d.ts'"],
      ['d.ts', "import './c.ts'"],
    ])

    expect(findCircles(sources).map(({ entries }) => entries)).toEqual([
      ['a.ts', 'b.ts'],
      ['c.ts', 'd.ts'],
    ])
  })

  it('allows what goes one way, and anything in tests', () => {
    const sources = new Map([
      ['src/a.ts', "import { b } from './inner/b.ts'"],
      ['src/inner/b.ts', "import { shared } from '../shared.ts'"],
      ['src/shared.ts', ''],
      ['src/inner/b.test.ts', "import { a } from '../a.ts'"],
      ['src/testing/world.ts', "import { a } from '../a.ts'"],
    ])

    expect(findCircles(sources)).toEqual([])
  })
})

describe('findCrowds', () => {
  const files = (count: number) => Array.from({ length: count }, (_, index) => `src/file-${index}.ts`)

  it('finds a folder with too many files', () => {
    expect(findCrowds(files(MAX_FILES + 1))).toEqual([{ folder: 'src', files: MAX_FILES + 1 }])
  })

  it('counts neither tests nor the files of inner folders', () => {
    expect(findCrowds([...files(MAX_FILES), 'src/a.test.ts', 'src/inner/b.ts'])).toEqual([])
  })
})

describe('findSharedPlaces', () => {
  it('finds names in the temporary folder that another account could take first', () => {
    const sources = new Map([
      ['src/a.ts', "const a = join(tmpdir(), 'hearth')\nconst b = '/tmp/hearth.sock'"],
      ['src/b.ts', 'enableCompileCache()'],
    ])

    expect(findSharedPlaces(sources)).toEqual(['src/a.ts:1', 'src/a.ts:2', 'src/b.ts:1'])
  })

  it('allows new folders that nobody can guess, and anything but a compile cache in tests', () => {
    const sources = new Map([
      ['src/a.ts', "const a = mkdtempSync(join(tmpdir(), 'hearth-'))"],
      ['src/a.test.ts', "const a = { TMPDIR: '/tmp' }"],
    ])

    expect(findSharedPlaces(sources)).toEqual([])
    expect(findSharedPlaces(new Map([['src/a.test.ts', 'module.enableCompileCache()']]))).toEqual(['src/a.test.ts:1'])
  })
})

it('findEncodedPaths finds paths that break in a folder with a space, in tests too', () => {
  const sources = new Map([
    ['src/a.test.ts', "const HERE = new URL('..', import.meta.url)\nrun(HERE.pathname)"],
    ['src/b.ts', "const HERE = fileURLToPath(new URL('..', import.meta.url))"],
    ['src/c.ts', 'const path = new URL(request.url).pathname'],
  ])

  expect(findEncodedPaths(sources)).toEqual(['src/a.test.ts:2'])
})
