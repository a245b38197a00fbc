// Takes a reply apart while it is written: thinking, content, tool calls. It only knows the marks between them; what a call looks like
// inside is read when the reply is complete.

import { MarkScanner, isBlank, withoutLeadingBlanks, type Piece } from './marks.ts'

export interface ReplyMarks {
  /** Around the model's thinking; `isOpen` when the prompt ends within it, `mayBegin` when the model is expected to begin it. */
  thinking?: { begin: string; end: string; isOpen: boolean; mayBegin: boolean }
  /** Any of these begins tool calls; with `isOnlyFirst` only as the first thing of the content. */
  calls?: { triggers: readonly string[]; isOnlyFirst: boolean }
}

export type ReplyPart =
  | { type: 'content'; piece: Piece }
  | { type: 'thinking-ended' }
  /** Everything from the trigger on, as far as it has come; or the tool, when nothing but its arguments is still to come. */
  | { type: 'calls-begun'; pieces: readonly Piece[]; tool?: string }

type Phase = 'opening' | 'thinking' | 'content' | 'calls'

/** What the choice needs of a reader; gpt-oss has its own. */
export interface ReplyReader {
  readonly isThinking: boolean
  push(piece: Piece): ReplyPart[]
  /** The rest of the content. */
  end(): Piece[]
  /** What was written since the calls began; empty without any. */
  readonly calls: readonly Piece[]
}

export class TagReader implements ReplyReader {
  readonly #marks: ReplyMarks
  readonly #calls: Piece[] = []
  #phase: Phase
  #scanner: MarkScanner
  /** Blanks before the content; dropped when a call or thinking follows. */
  #blanks: Piece[] = []
  /** The blanks between thinking and content belong to neither. */
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
    // Where content begins, other marks count: what was held back, or found, is looked at again.
    if (found === undefined) return this.#scanner === scanner ? parts : [...parts, ...again(scanner.flush())]
    if (!this.#marksOf(this.#phase).includes(found.mark)) return [...parts, ...again([...found.pieces, ...found.rest])]
    return [...parts, ...this.#cross(found.mark, found.pieces), ...again(found.rest)]
  }

  end(): Piece[] {
    const held = this.#scanner.flush()
    if (this.#phase === 'thinking' || this.#phase === 'calls') return []
    return this.#isAfterThinking ? held.map(withoutLeadingBlanks) : [...this.#blanks, ...held]
  }

  #pass(piece: Piece): ReplyPart[] {
    if (this.#phase === 'thinking') return []
    if (this.#phase === 'opening' && this.#isWatching && isBlank(piece)) {
      this.#blanks.push(piece)
      return []
    }
    const pieces = this.#isAfterThinking ? [withoutLeadingBlanks(piece)] : [...this.#blanks, piece]
    this.#blanks = []
    this.#isAfterThinking = false
    if (this.#phase === 'opening') this.#enter('content')
    return pieces.map((item) => ({ type: 'content', piece: item }))
  }

  #cross(mark: string, pieces: Piece[]): ReplyPart[] {
    this.#blanks = []
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
    // A model that was made to end its thinking may end it once more by itself.
    if (phase === 'opening') return thinking === undefined ? triggers : [thinking.begin, thinking.end, ...triggers]
    if (phase === 'thinking') return thinking === undefined ? [] : [thinking.end]
    return phase === 'content' && calls?.isOnlyFirst === false ? triggers : []
  }
}
