// Keeps callers from injecting control tokens. A prompt is tokenized as a whole, so that it gets the tokens that the model was trained on; but
// the name of a control token inside a message must stay text. Each such name is replaced by a placeholder before the template is rendered,
// and the placeholders are turned back into plain text tokens afterwards.

import type { Token, Vocabulary } from '../native/native.ts'

export interface Guarded<Value> {
  value: Value
  /** Turns the rendered prompt into tokens. */
  tokenize(rendered: string): Token[]
}

export class PromptGuard {
  readonly #vocabulary: Vocabulary
  readonly #controls: RegExp | undefined

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
    const texts = controlTexts(vocabulary).toSorted((a, b) => b.length - a.length)
    this.#controls =
      texts.length === 0 ? undefined : new RegExp(texts.map((text) => RegExp.escape(text)).join('|'), 'g')
  }

  guard<Value>(value: Value): Guarded<Value> {
    const mark = createMarks()
    const controls = this.#controls
    return {
      value: controls === undefined ? value : replaceDeep(value, (text) => text.replace(controls, mark.hide)),
      tokenize: (rendered) => this.#tokenize(mark.split(rendered)),
    }
  }

  #tokenize(pieces: readonly { text: string; isHidden: boolean }[]): Token[] {
    const { bos, addsBos } = this.#vocabulary
    const filled = pieces.filter(({ text }) => text !== '')
    const tokens = filled.flatMap(({ text, isHidden }) => this.#vocabulary.tokenize(text, !isHidden))
    return addsBos && bos !== undefined && tokens[0] !== bos.token ? [bos.token, ...tokens] : tokens
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
