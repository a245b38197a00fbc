// Looks for texts that mean something (the end of thinking, the beginning of a tool call) in a reply while it is written. What might be
// the beginning of such a mark is held back until it is clear.

import type { TokenLogprob } from '@hearth/protocol'
import type { Token } from '../native/native.ts'

/** A token of the reply, or the part of one beside a mark. */
export interface Piece {
  token: Token
  /** Which token of the reply it is, or is a part of. */
  position: number
  /** With control tokens spelled out. */
  raw: Buffer
  visible: Buffer
  logprob?: TokenLogprob
}

export interface Found {
  mark: string
  /** The pieces that make up the mark. */
  pieces: Piece[]
  /** What follows the mark. */
  rest: Piece[]
}

export class MarkScanner {
  readonly #marks: readonly { text: string; bytes: Buffer }[]
  #held: Piece[] = []

  constructor(marks: readonly string[]) {
    this.#marks = marks.map((text) => ({ text, bytes: Buffer.from(text) }))
  }

  /** `passed` is certainly not part of a mark. */
  push(piece: Piece): { passed: Piece[]; found?: Found } {
    if (this.#marks.length === 0) return { passed: [piece] }
    this.#held.push(piece)
    const raw = Buffer.concat(this.#held.map((held) => held.raw))
    const first = this.#first(raw)
    if (first === undefined) return { passed: this.#take(raw.length - this.#mayBegin(raw)) }
    const passed = this.#take(first.at)
    const pieces = this.#take(first.bytes.length)
    return { passed, found: { mark: first.text, pieces, rest: this.flush() } }
  }

  flush(): Piece[] {
    const held = this.#held
    this.#held = []
    return held
  }

  #first(raw: Buffer): { at: number; text: string; bytes: Buffer } | undefined {
    return this.#marks
      .map((mark) => ({ ...mark, at: raw.indexOf(mark.bytes) }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at || b.bytes.length - a.bytes.length)[0]
  }

  /** How many bytes at the end could begin a mark. */
  #mayBegin(raw: Buffer): number {
    const longest = Math.max(...this.#marks.map(({ bytes }) => bytes.length - 1))
    for (let length = Math.min(longest, raw.length); length > 0; length--) {
      const tail = raw.subarray(raw.length - length)
      if (this.#marks.some(({ bytes }) => bytes.length > length && bytes.subarray(0, length).equals(tail)))
        return length
    }
    return 0
  }

  #take(bytes: number): Piece[] {
    const taken: Piece[] = []
    let left = bytes
    while (left > 0) {
      const piece = this.#held[0]!
      if (piece.raw.length <= left) taken.push(this.#held.shift()!)
      else [taken[taken.length], this.#held[0]] = splitPiece(piece, left)
      left -= Math.min(left, piece.raw.length)
    }
    return taken
  }
}

// A control token shows nothing, whichever part of its name is looked at.
function splitPiece(piece: Piece, at: number): [Piece, Piece] {
  const isShown = piece.visible.length > 0
  const part = (from: number, to?: number) => ({
    token: piece.token,
    position: piece.position,
    raw: piece.raw.subarray(from, to),
    visible: isShown ? piece.visible.subarray(from, to) : piece.visible,
  })
  const { logprob } = piece
  return [{ ...part(0, at), ...(logprob === undefined ? {} : { logprob }) }, part(at)]
}

export function isBlank(piece: Piece): boolean {
  return piece.raw.every(isBlankByte)
}

export function withoutLeadingBlanks(piece: Piece): Piece {
  const first = piece.visible.findIndex((byte) => !isBlankByte(byte))
  return { ...piece, visible: piece.visible.subarray(first < 0 ? piece.visible.length : first) }
}

function isBlankByte(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}
