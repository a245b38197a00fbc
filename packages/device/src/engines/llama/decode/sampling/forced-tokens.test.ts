import { describe, expect, it } from 'vitest'
import { startConstraint } from './constraint.ts'
import { forcedTokens } from './forced-tokens.ts'
import { useTinyModel } from '../../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 512 })

const OBJECT = String.raw`root ::= "{\"name\":" " "? "\"" [a-z]+ "\"," " "? "\"price\":" [0-9]+ "}"`

/** The text of the tokens that are foreseen after `begun`. */
async function foreseen(grammar: string, begun: string): Promise<string> {
  const { vocabulary } = native
  const tokens = vocabulary.tokenize(begun, false)
  const constraint = startConstraint(await native.compileGrammar(grammar), tokens)
  if (constraint === undefined) throw new Error(`${begun} doesn't fit`)
  const forced = forcedTokens(vocabulary, constraint, tokens.at(-1))
  return forced
    .map((token) => vocabulary.text(token))
    .join('')
    .replaceAll(/[Ġ▁]/g, ' ')
}

describe('tokens that a grammar forces', () => {
  it('are all up to the next choice, or as many as fit into a few guesses', async () => {
    expect('{"name": "'.startsWith(await foreseen(OBJECT, ''))).toBe(true)
    expect((await foreseen(OBJECT, '')).length).toBeGreaterThan(1)
    expect(await foreseen(OBJECT, '{"name": "x","price":1}')).toBe('')
  })

  it('are none where several texts can follow', async () => {
    expect(await foreseen('root ::= "[" ("red" | "blue") "]"', '[')).toBe('')
    expect(await foreseen('root ::= "[" [a-z]+ "]"', '[')).toBe('')
    expect(await foreseen('root ::= "[" "]"?', '[')).toBe('')
  })

  it('are a space and what follows it, where the space is optional', async () => {
    expect(await foreseen('root ::= "[" " "? "\\"" [a-z]+ "\\"" "]"', '[')).toMatch(/^ ?"$/)
  })

  it('leave the state of the grammar as it is', async () => {
    const grammar = await native.compileGrammar('root ::= "[]"')
    const constraint = startConstraint(grammar, [])!
    const [first] = forcedTokens(native.vocabulary, constraint, undefined)
    expect(first).toBeDefined()
    expect(grammar.allows(constraint.state, first!)).toBe(true)
  })
})
