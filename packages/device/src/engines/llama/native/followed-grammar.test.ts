import { expect, it } from 'vitest'
import { FollowedGrammar } from './followed-grammar.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

/** Many places with many ways each, so that finding all of them is a lot to do. */
function wideGrammar(ways: number): string {
  const rules = LETTERS.map((letter) => {
    const options = Array.from({ length: ways }, (_, count) => `[a-z]{${count + 1}} "${letter}"`)
    return `after-${letter} ::= ${options.join(' | ')}`
  })
  return `root ::= ${LETTERS.map((letter) => `"${letter}" after-${letter}`).join(' | ')}\n${rules.join('\n')}\n`
}

const native = await useTinyModel({ slots: 1, contextLength: 512 })

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
