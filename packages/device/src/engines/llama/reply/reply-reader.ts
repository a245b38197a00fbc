// Splits a reply into thinking, content and tool calls while it is written. It only knows the markers between them; the calls themselves are
// read when the reply is complete.

import { MarkScanner, isBlank, withoutLeadingSpace, type Piece } from './marks.ts'

export interface ReplyMarks {
  /** Around the model's thinking. `isOpen`: the prompt ends inside it. `mayBegin`: the model is expected to begin it. */
  thinking?: { begin: string; end: string; isOpen: boolean; mayBegin: boolean }
  /** Any of these begins tool calls; with `isOnlyFirst`, only at the very beginning of the content. */
  calls?: { triggers: readonly string[]; isOnlyFirst: boolean }
}

export type ReplyPart =
  | { type: 'content'; piece: Piece }
  | { type: 'thinking-ended' }
  /** Tool calls have begun. `tool` is set if only its arguments are missing. */
  | { type: 'calls-begun'; pieces: readonly Piece[]; tool?: string }

type Phase = 'opening' | 'thinking' | 'content' | 'calls'

/** The interface of both readers: the one below, and the one for gpt-oss. */
export interface ReplyReader {
  readonly isThinking: boolean
  push(piece: Piece): ReplyPart[]
  /** The rest of the content. */
  end(): Piece[]
  /** Everything written since the calls began; empty if there are none. */
  readonly calls: readonly Piece[]
}

export class TagReader implements ReplyReader {
  readonly #marks: ReplyMarks
  readonly #calls: Piece[] = []
  #phase: Phase
  #scanner: MarkScanner
  /** Whitespace before the content; dropped if a call or thinking follows. */
  #leadingSpace: Piece[] = []
  /** Whitespace between thinking and content belongs to neither. */
  #isAfterThinking = false

  constructor(marks: ReplyMarks) {
    this.#marks = marks
    this.#phase = marks.thinking?.isOpen === true ? 'thinking' : 'opening'
    this.#scanner = this.#scannerFor(this.#phase)
  }

  get isThinking(): boolean {
    return this.#phase === 'thinking'
  }

  get calls(): readonly Piece[] {
    return this.#calls
  }

  push(piece: Piece): ReplyPart[] {
    if (this.#phase === 'calls') {
      this.#calls.push(piece)
      return []
    }
    const scanner = this.#scanner
    const { passed, found } = scanner.push(piece)
    const parts = passed.flatMap((item) => this.#pass(item))
    const again = (pieces: readonly Piece[]) => pieces.flatMap((item) => this.push(item))
    // Other markers apply once content begins, so text that was held back or matched is searched again.
    if (found === undefined) return this.#scanner === scanner ? parts : [...parts, ...again(scanner.flush())]
    if (!this.#marksOf(this.#phase).includes(found.mark)) return [...parts, ...again([...found.pieces, ...found.rest])]
    return [...parts, ...this.#cross(found.mark, found.pieces), ...again(found.rest)]
  }

  end(): Piece[] {
    const held = this.#scanner.flush()
    if (this.#phase === 'thinking' || this.#phase === 'calls') return []
    return this.#isAfterThinking ? held.map(withoutLeadingSpace) : [...this.#leadingSpace, ...held]
  }

  #pass(piece: Piece): ReplyPart[] {
    if (this.#phase === 'thinking') return []
    if (this.#phase === 'opening' && this.#isWatching && isBlank(piece)) {
      this.#leadingSpace.push(piece)
      return []
    }
    const pieces = this.#isAfterThinking ? [withoutLeadingSpace(piece)] : [...this.#leadingSpace, piece]
    this.#leadingSpace = []
    this.#isAfterThinking = false
    if (this.#phase === 'opening') this.#enter('content')
    return pieces.map((item) => ({ type: 'content', piece: item }))
  }

  #cross(mark: string, pieces: Piece[]): ReplyPart[] {
    this.#leadingSpace = []
    if (mark === this.#marks.thinking?.end) {
      this.#enter('opening')
      this.#isAfterThinking = true
      return [{ type: 'thinking-ended' }]
    }
    if (mark === this.#marks.thinking?.begin) {
      this.#enter('thinking')
      return []
    }
    this.#enter('calls')
    this.#calls.push(...pieces)
    return [{ type: 'calls-begun', pieces: this.#calls }]
  }

  get #isWatching(): boolean {
    return this.#marks.thinking !== undefined || this.#marks.calls !== undefined
  }

  #enter(phase: Phase): void {
    this.#phase = phase
    this.#scanner = this.#scannerFor(phase)
  }

  #scannerFor(phase: Phase): MarkScanner {
    return new MarkScanner(this.#marksOf(phase))
  }

  #marksOf(phase: Phase): readonly string[] {
    const { thinking, calls } = this.#marks
    const triggers = calls?.triggers ?? []
    // A model whose thinking was cut off may end it again by itself.
    if (phase === 'opening') return thinking === undefined ? triggers : [thinking.begin, thinking.end, ...triggers]
    if (phase === 'thinking') return thinking === undefined ? [] : [thinking.end]
    return phase === 'content' && calls?.isOnlyFirst === false ? triggers : []
  }
}
