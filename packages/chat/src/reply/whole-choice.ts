// One choice of a whole reply, kept as the JSON text it will become. Objects would take several times the memory of their text, and the end
// of a large reply would stop everyone else while all of it is serialized.

import type { FinishReason, TokenLogprob, ToolCall, UrlCitation } from '@hearth/protocol'
import { shapeAnnotation, shapeLogprobs, shapeToolCalls } from './completion-shape.ts'
import type { ReplyShape } from '../prepare-chat.ts'

/** Joined pieces take up no more than their text. A string that grows by one token at a time takes 50 bytes for each. */
const PIECES = 32

export class WholeChoice {
  readonly #shape: ReplyShape
  /** The JSON text of the content, without its quotes. */
  #content = ''
  #pieces: string[] = []
  #logprobs = ''
  #calls = ''
  #firstFunction = ''
  #annotations = ''

  constructor(shape: ReplyShape) {
    this.#shape = shape
  }

  /** These return by how many characters the choice has grown. `taken` are the ids of the reply's calls. */
  addText(text: string): number {
    const piece = JSON.stringify(text).slice(1, -1)
    if (piece !== '' && this.#pieces.push(piece) === PIECES) this.#join()
    return piece.length
  }

  addLogprobs(logprobs: readonly TokenLogprob[]): number {
    if (!this.#shape.hasLogprobs) return 0
    const text = listed(shapeLogprobs(logprobs).content)
    this.#logprobs = append(this.#logprobs, text)
    return text.length
  }

  addCalls(calls: readonly ToolCall[], taken: Set<string>): number {
    const shaped = shapeToolCalls(calls, taken)
    const text = listed(shaped)
    this.#calls = append(this.#calls, text)
    if (this.#firstFunction === '' && shaped[0]) this.#firstFunction = JSON.stringify(shaped[0].function)
    return text.length
  }

  addAnnotations(annotations: readonly UrlCitation[]): number {
    const text = listed(annotations.map(shapeAnnotation))
    this.#annotations = append(this.#annotations, text)
    return text.length
  }

  serialize(index: number, finishReason: FinishReason): string {
    this.#join()
    const { hasLogprobs, mirrorsFunctions } = this.#shape
    const annotations = this.#annotations && `,"annotations":[${this.#annotations}]`
    const calls = this.#calls && `,"tool_calls":[${this.#calls}]`
    const mirrored = mirrorsFunctions && this.#firstFunction ? `,"function_call":${this.#firstFunction}` : ''
    const message = `{"role":"assistant","content":"${this.#content}","refusal":null${annotations}${calls}${mirrored}}`
    const logprobs = hasLogprobs ? `{"content":[${this.#logprobs}],"refusal":null}` : 'null'
    return `{"index":${index},"message":${message},"logprobs":${logprobs},"finish_reason":"${finishReason}"}`
  }

  #join(): void {
    this.#content += this.#pieces.join('')
    this.#pieces = []
  }
}

/** The items of a list, without its brackets. */
function listed(items: readonly object[]): string {
  return JSON.stringify(items).slice(1, -1)
}

function append(list: string, more: string): string {
  return list === '' || more === '' ? list + more : `${list},${more}`
}
