// Keeps callers from injecting control tokens. A prompt is tokenized as a whole, so that it gets the tokens that the model was trained on; but
// the name of a control token inside a message must stay text. Each such name is replaced by a placeholder before the template is rendered,
// and the placeholders are turned back into plain text tokens afterwards.

import type { Token, Vocabulary } from '../native/native.ts'
import type { NativeModel } from '../native/vocabulary.ts'

/** With `special`, the name of a control token becomes that token. */
export type Tokenize = NativeModel['tokenize']

export interface Guarded<Value> {
  value: Value
  /** Turns the rendered prompt into tokens. */
  tokenize(rendered: string, tokenize: Tokenize): Uint32Array
}

/** Plain data, because another process guards. */
export interface GuardFacts {
  /** Texts of tokens that callers must not write. */
  controls: readonly string[]
  /** The token that every prompt begins with, if the model wants one. */
  begin: Token | undefined
}

export function readGuardFacts(vocabulary: Vocabulary): GuardFacts {
  const { addsBos, bos } = vocabulary
  return { controls: controlTexts(vocabulary), begin: addsBos ? bos?.token : undefined }
}

export class PromptGuard {
  readonly #begin: Token | undefined
  readonly #controls: RegExp | undefined

  constructor({ controls, begin }: GuardFacts) {
    this.#begin = begin
    const texts = controls.toSorted((a, b) => b.length - a.length)
    this.#controls =
      texts.length === 0 ? undefined : new RegExp(texts.map((text) => RegExp.escape(text)).join('|'), 'g')
  }

  guard<Value>(value: Value): Guarded<Value> {
    const mark = createMarks()
    const controls = this.#controls
    return {
      value: controls === undefined ? value : replaceDeep(value, (text) => text.replace(controls, mark.hide)),
      tokenize: (rendered, tokenize) =>
        this.#join(
          mark
            .split(rendered)
            .filter(({ text }) => text !== '')
            .map(({ text, isHidden }) => tokenize(text, !isHidden)),
        ),
    }
  }

  #join(pieces: readonly Uint32Array[]): Uint32Array {
    const begin = this.#begin
    const all = begin === undefined || pieces[0]?.[0] === begin ? pieces : [Uint32Array.of(begin), ...pieces]
    const tokens = new Uint32Array(all.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of all) {
      tokens.set(piece, at)
      at += piece.length
    }
    return tokens
  }
}

function controlTexts(vocabulary: Vocabulary): string[] {
  const texts: string[] = []
  for (let token = 0; token < vocabulary.size; token++) {
    const kind = vocabulary.kind(token)
    if (kind === 'control' || kind === 'unknown') texts.push(vocabulary.text(token))
  }
  return texts.filter((text) => text.trim() !== '')
}

// Private-use characters around a number that no caller can guess. Templates treat the placeholder like any other text.
function createMarks() {
  const secret = crypto.randomUUID().replaceAll('-', '')
  const hidden: string[] = []
  const pattern = new RegExp(`\\uE000${secret}x(\\d+)\\uE001`)
  return {
    hide: (text: string) => `\uE000${secret}x${hidden.push(text) - 1}\uE001`,
    split: (rendered: string) =>
      // Splitting by a pattern with a group returns text and numbers alternately.
      rendered.split(pattern).map((text, index) => {
        const isHidden = index % 2 === 1
        return { text: isHidden ? (hidden[Number(text)] ?? '') : text, isHidden }
      }),
  }
}

function replaceDeep<Value>(value: Value, replace: (text: string) => string): Value {
  const visit = (item: unknown): unknown => {
    if (typeof item === 'string') return replace(item)
    if (Array.isArray(item)) return item.map(visit)
    if (typeof item !== 'object' || item === null) return item
    return Object.fromEntries(Object.entries(item).map(([key, inner]) => [replace(key), visit(inner)]))
  }
  return visit(value) as Value
}
