// Splits a reply into thinking, content and tool calls while it is written. It only knows the markers between them; the calls themselves are
// read when the reply is complete.

import type { ContentMarks, ThinkingTags } from '../template/reasoning.ts'
import { isCutMark } from '../../formats/tool-calls.ts'
import type { Trigger } from '../../formats/tool-syntax.ts'
import { MarkScanner, isBlank, textOf, withoutLeadingSpace, type Piece } from './marks.ts'

export interface ReplyMarks {
  thinking?: ThinkingMarks
  /** Any of these begins tool calls. */
  calls?: { triggers: readonly Trigger[] }
  content?: ContentMarks
}

/** Around the model's thinking. */
export interface ThinkingMarks extends ThinkingTags {
  /** The prompt ends inside it. */
  isOpen: boolean
  /** The model is expected to begin it. */
  mayBegin: boolean
}

export type ReplyPart =
  | { type: 'content'; piece: Piece }
  | { type: 'thinking-ended' }
  /** Tool calls have begun. `tool` is set if only its arguments are missing. */
  | { type: 'calls-begun'; pieces: readonly Piece[]; tool?: string }

type Phase = 'opening' | 'thinking' | 'content' | 'calls'

/** The interface of both readers: the one below, and the one for replies that consist of messages. */
export interface ReplyReader {
  readonly isThinking: boolean
  push(piece: Piece): ReplyPart[]
  /** The rest of the content. If the reply was cut off, it may end with the beginning of a mark, which is no content. */
  end(isCut?: boolean): Piece[]
  /** Everything written since the calls began; empty if there are none. While the model thinks, it may turn out to be only a thought. */
  readonly calls: readonly Piece[]
}

export class TagReader implements ReplyReader {
  readonly #marks: ReplyMarks
  #calls: Piece[] = []
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

  end(isCut = false): Piece[] {
    const held = this.#scanner.flush()
    if (this.#phase === 'thinking' && this.#calls.length > 0) this.#calls.push(...held)
    if (this.#phase === 'thinking' || this.#phase === 'calls') return []
    if (isCut && isCutMark(textOf(held))) return []
    return this.#isAfterThinking ? held.map(withoutLeadingSpace) : [...this.#leadingSpace, ...held]
  }

  #pass(piece: Piece): ReplyPart[] {
    if (this.#phase === 'thinking') {
      if (this.#calls.length > 0) this.#calls.push(piece)
      return []
    }
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
    if (this.#isTrigger(mark)) return this.#beginCalls(pieces)
    const { thinking } = this.#marks
    this.#leadingSpace = []
    if (mark === thinking?.begin) {
      this.#enter('thinking')
      return []
    }
    if (thinking !== undefined && endsOf(thinking).includes(mark) && this.#phase !== 'content')
      return this.#endThinking()
    // Any other mark surrounds the content, or ends thinking that never began.
    return []
  }

  #endThinking(): ReplyPart[] {
    this.#calls = []
    this.#enter('opening')
    this.#isAfterThinking = true
    return [{ type: 'thinking-ended' }]
  }

  /** A call ends the thinking, unless the thinking continues after it and is then ended properly: that is known only later. */
  #beginCalls(pieces: Piece[]): ReplyPart[] {
    this.#leadingSpace = []
    this.#calls.push(...pieces)
    if (this.#phase === 'thinking') return []
    this.#enter('calls')
    return [{ type: 'calls-begun', pieces: this.#calls }]
  }

  #isTrigger(mark: string): boolean {
    return this.#marks.calls?.triggers.some(({ text }) => text === mark) ?? false
  }

  get #isWatching(): boolean {
    return this.#marks.thinking !== undefined || this.#marks.calls !== undefined || this.#marks.content !== undefined
  }

  #enter(phase: Phase): void {
    this.#phase = phase
    this.#scanner = this.#scannerFor(phase)
  }

  #scannerFor(phase: Phase): MarkScanner {
    return new MarkScanner(this.#marksOf(phase))
  }

  #marksOf(phase: Phase): readonly string[] {
    const { thinking, calls, content = {} } = this.#marks
    const triggers = calls?.triggers ?? []
    const anywhere = triggers.filter(({ isOnlyFirst }) => !isOnlyFirst).map(({ text }) => text)
    const ends = thinking === undefined ? [] : endsOf(thinking)
    const around = content.around ?? []
    switch (phase) {
      case 'opening': {
        // A model whose thinking was cut off may end it once more itself.
        const thoughts = thinking === undefined ? [] : [thinking.begin, ...ends]
        return [...thoughts, ...triggers.map(({ text }) => text), ...around, ...(content.before ?? [])]
      }
      case 'thinking':
        return [...ends, ...anywhere]
      case 'content':
        return [...anywhere, ...around, ...(thinking?.isRepeated === true ? [thinking.begin, ...ends] : [])]
      case 'calls':
        return []
      default:
        return phase satisfies never
    }
  }
}

function endsOf({ end, alsoEnds = [] }: ThinkingTags): readonly string[] {
  return [end, ...alsoEnds]
}
