// A reciting model knows positions only, so every text gets its own: prompts are filled up to where their reply begins.

import type { RecitedText } from './recited-texts.ts'

export interface RecitedCase {
  readonly name: string
  readonly prompt: string
  readonly reply: string
  readonly replyTokens: number
}

export interface Recital {
  readonly cases: readonly RecitedCase[]
  /** For each position, the token after it. Positions in prompts have none. */
  readonly tokens: ReadonlyMap<number, number>
}

type Tokenize = (text: string) => readonly number[]

const FILLERS = [' river', ' stone', ' cloud', ' paper', ' light', ' window', ' garden', ' silver']
const FILL_END = '.\n'

export function placeTexts(texts: readonly RecitedText[], tokenize: Tokenize, most: number): Recital {
  const tokens = new Map<number, number>()
  let end = 0
  const cases = texts.map(({ name, prompt, reply }) => {
    const filled = fill(prompt, end, tokenize)
    const promptTokens = tokenize(filled).length
    const recited = tokenize(reply).slice(0, most)
    recited.forEach((token, index) => tokens.set(promptTokens - 1 + index, token))
    end = promptTokens + recited.length
    return { name, prompt: filled, reply, replyTokens: recited.length }
  })
  return { cases, tokens }
}

/** With at least so many tokens: words that have one each, in an order that can't be foreseen. */
function fill(prompt: string, length: number, tokenize: Tokenize): string {
  const missing = length - tokenize(prompt).length
  if (missing <= 0) return prompt
  const words = Array.from({ length: missing }, (_, index) => FILLERS[((index * index * 7 + index * 3) % 61) % 8])
  return `${words.join('')}${FILL_END}${prompt}`
}
