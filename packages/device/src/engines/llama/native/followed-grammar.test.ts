import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadTinyModel } from '../testing/tiny-model.ts'
import { FollowedGrammar } from './followed-grammar.ts'
import type { Native } from './native.ts'

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

/** Many places with many ways each, so that finding all of them is a lot to do. */
function wideGrammar(ways: number): string {
  const rules = LETTERS.map((letter) => {
    const options = Array.from({ length: ways }, (_, count) => `[a-z]{${count + 1}} "${letter}"`)
    return `after-${letter} ::= ${options.join(' | ')}`
  })
  return `root ::= ${LETTERS.map((letter) => `"${letter}" after-${letter}`).join(' | ')}\n${rules.join('\n')}\n`
}

let native: Native
beforeAll(async () => {
  native = await loadTinyModel({ slots: 1, contextLength: 512 })
})
afterAll(() => native.dispose())

it.each([1, 30])('finds the tokens that don’t fit, or gives up, whatever was followed before: %i ways', (ways) => {
  const { vocabulary } = native
  const [fresh, used] = [0, 1].map(() => new FollowedGrammar(wideGrammar(ways), vocabulary)) as [
    FollowedGrammar,
    FollowedGrammar,
  ]
  for (let token = 0; token < vocabulary.size; token++) used.after(used.start(), token)
  const [first] = vocabulary.tokenize('a', false)
  const [found, foundAgain] = [fresh, used].map((grammar) => grammar.misfits(grammar.start()))
  expect(foundAgain).toEqual(found)
  expect(found === undefined).toBe(ways > 1)
  // Giving up at one place says nothing about others.
  const at = (grammar: FollowedGrammar) => grammar.misfits(grammar.after(grammar.start(), first!))
  expect(at(used)).toEqual(at(new FollowedGrammar(wideGrammar(ways), vocabulary)))
})
