// What guesses bring, in worlds whose times were measured (bench/README.md): texts are known, so no model has to run.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Token } from '../../native/native.ts'
import { Guessing } from './guessing.ts'

/** Milliseconds of a decode with so many tokens, and of a draw. */
const WORLDS = {
  'an H200 with 8 billion parameters': {
    gpu: 'cuda',
    times: { 1: 3.46, 2: 3.94, 4: 5.4, 8: 8.05, 9: 7.3, 16: 7.47, 24: 8.69, 32: 9.31, 64: 12.45, 128: 19 },
    drawMs: 0.3,
    changeMs: 0.7,
  },
  'a GPU with a small model': {
    gpu: 'cuda',
    times: { 1: 1, 2: 1.1, 4: 1.2, 8: 1.6, 16: 2, 24: 2.2, 64: 3, 128: 4 },
    drawMs: 0.3,
    changeMs: 0.4,
  },
  'a CPU': { gpu: false, times: { 1: 22, 2: 26, 4: 34, 8: 50, 16: 82, 24: 115, 63: 280 }, drawMs: 0.4, changeMs: 0 },
} as const
type World = (typeof WORLDS)[keyof typeof WORLDS]

/** For grammars and repeatable streams. */
const KEY = { name: 'a key' }
const GUESSING = { contextLength: 100_000, exactSizes: { short: 63, long: 63 }, mode: 'auto' } as const
const UNUSED = { isRepeatable: false, forced: () => [] }

const ids = new Map<string, Token>()
/** Words, and everything between them: close to what tokenizers do. */
function tokensOf(text: string): Token[] {
  const parts = text.match(/ ?[a-zA-Z]+|\d|\s+|[^\s\w]{1,2}|_/g) ?? []
  return parts.map((part) => ids.getOrInsert(part, ids.size))
}

const code = readFileSync(new URL('guessing.ts', import.meta.url), 'utf8')
const rows = Array.from({ length: 30 }, (_, row) => ({
  order_number: (row * 7_919) % 997,
  customer: { name: ['Ada', 'Grace', 'Edsger', 'Barbara'][(row * 7) % 4], country: 'US' },
  is_paid: row % 3 > 0,
}))
/** The same form with other values, one after the other. */
const card = (name: string, year: number): Token[] =>
  tokensOf(
    JSON.stringify({
      person: { full_name: name, birth: { year, place: 'unknown' }, occupations: ['engineer', 'writer'] },
      contact: { email_address: null, phone_number: null, postal_address: { street: null, city: name, zip: year } },
      is_verified: year > 1_900,
      last_changed: { by: 'import', at: year + 40 },
    }),
  )
const essay = readFileSync(new URL('../../../../../../../CONTRIBUTING.md', import.meta.url), 'utf8')
const TEXTS = {
  copied: { prompt: tokensOf(code), reply: tokensOf(code.replaceAll('guesses', 'hunches')).slice(0, 800) },
  rows: { prompt: tokensOf('List the orders.'), reply: tokensOf(JSON.stringify(rows)) },
  card: { prompt: tokensOf('Describe Ada.'), reply: card('Ada Lovelace', 1_815) },
  nextCard: {
    prompt: tokensOf('Describe Grace.'),
    reply: card('Grace Hopper', 1_906),
    earlier: card('Ada Lovelace', 1_815),
  },
  new: { prompt: tokensOf('Write rules.'), reply: tokensOf(essay).slice(0, 800) },
}

function decodeMs({ times }: World, tokens: number): number {
  const known = Object.entries(times).map(([size, ms]) => [Number(size), ms] as const)
  const next = known.findIndex(([size]) => size >= tokens)
  const [[from, low], [to, high]] = [known[Math.max(0, next - 1)]!, known[next]!]
  return to === from ? high : low + ((high - low) * (tokens - from)) / (to - from)
}

/** How much faster several streams write the reply with guesses. `earlier` is what the same key got before. */
function speedup(
  world: World,
  { prompt, reply, earlier = [] }: { prompt: Token[]; reply: Token[]; earlier?: Token[] },
  count: number,
): number {
  const guessing = new Guessing({ ...GUESSING, gpu: world.gpu })
  guessing.remember(KEY, [...prompt, ...earlier], prompt.length)
  const streams = Array.from({ length: count }, () => guessing.createStream(KEY))
  // All streams write the same.
  const tokens = [...prompt]
  let [at, ms, lastSize] = [0, 0, count]
  while (at < reply.length - 1) {
    const [foreseen] = guessing.guess(streams.map((guesses) => ({ ...UNUSED, tokens, last: reply[at]!, guesses })))
    const size = count * (1 + foreseen!.length)
    const decode = decodeMs(world, size) + (size === lastSize ? 0 : world.changeMs)
    let drawn = 0
    do {
      tokens.push(reply[at++]!)
      for (const stream of streams) stream.onDrawn(drawn, reply[at]!)
    } while (reply[at] === foreseen![drawn++] && at < reply.length - 1)
    guessing.learn({ streams: count, tokens: size, decodeMs: decode, drawn, drawMs: drawn * world.drawMs })
    ms += decode + drawn * world.drawMs
    lastSize = size
  }
  return ((reply.length - 1) * (decodeMs(world, count) + world.drawMs)) / ms
}

describe.each(Object.entries(WORLDS))('on %s, guesses', (_, world) => {
  it.each([1, 8])('make a copy and JSON with the same keys faster, for %i streams', (count) => {
    const isCrowded = world.gpu === false && count > 1
    expect(speedup(world, TEXTS.copied, count)).toBeGreaterThan(isCrowded ? 1.2 : 2)
    expect(speedup(world, TEXTS.rows, count)).toBeGreaterThan(isCrowded ? 1.1 : 1.5)
  })

  it.each([1, 8])('make a form faster that the same key got before, for %i streams', (count) => {
    const least = world.gpu === false && count > 1 ? 1.05 : world.times[1] > 2 ? 1.5 : 1.4
    expect(speedup(world, TEXTS.nextCard, count)).toBeGreaterThan(least)
    expect(speedup(world, TEXTS.nextCard, count)).toBeGreaterThan(speedup(world, TEXTS.card, count))
  })

  it.each([1, 8])('make new text hardly slower, for %i streams', (count) => {
    expect(speedup(world, TEXTS.new, count)).toBeGreaterThan(0.98)
  })
})

it('adds nothing to a step if nothing is foreseen, however short larger steps were', () => {
  const guessing = new Guessing({ ...GUESSING, gpu: false })
  guessing.learn({ streams: 1, tokens: 1, decodeMs: 20, drawn: 1, drawMs: 0.1 })
  guessing.learn({ streams: 1, tokens: 4, decodeMs: 5, drawn: 1, drawMs: 0.1 })
  const stream = { ...UNUSED, tokens: [1, 2, 3], last: 4, guesses: guessing.createStream() }
  expect(guessing.guess([stream])).toEqual([[]])
})
