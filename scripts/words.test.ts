import { describe, expect, it } from 'vitest'
import { findRepeatedTerms, findWrongWords, readTerms } from './words.ts'

const PAGE = `# Words

## In the code

| Term | Means | Not |
| --- | --- | --- |
| scheduler | decides | lessor, \`Desk\` |
| model queue, queue | jobs of a model | lane |

## How to say it

| Instead of | Say | Why |
| --- | --- | --- |
| tenant | organization | |
`

describe('words', () => {
  const terms = readTerms(PAGE)

  it('are the terms of one table', () => {
    expect(terms).toEqual([
      { name: 'scheduler', isNot: ['lessor', '`Desk`'] },
      { name: 'model queue, queue', isNot: ['lane'] },
    ])
  })

  it('stand there once', () => {
    expect(findRepeatedTerms(terms)).toEqual([])
    expect(findRepeatedTerms([...terms, { name: 'queue', isNot: [] }])).toEqual(['queue'])
  })

  it.each([
    ['tellLessor()', 'a.ts:1: tellLessor should be: scheduler (docs/words.md)'],
    ['const LESSOR_LIMITS = {}', 'a.ts:1: LESSOR_LIMITS should be: scheduler (docs/words.md)'],
    ['new Desk()', 'a.ts:1: Desk should be: scheduler (docs/words.md)'],
    ['lane.jobs', 'a.ts:1: lane should be: model queue, queue (docs/words.md)'],
    ['`${lane}`', 'a.ts:1: lane should be: model queue, queue (docs/words.md)'],
  ])('are used for what they name: %s', (line, problem) => {
    expect(findWrongWords(terms, new Map([['a.ts', line]]))).toEqual([problem])
  })

  it.each(["const desk = 'lessor'", '// the lessor', '/* a lane */', 'hearth_lessor_total', 'planets', 'DeskLamp'])(
    'leave other things their names: %s',
    (line) => {
      expect(findWrongWords(terms, new Map([['a.ts', line]]))).toEqual([])
    },
  )
})
