// Finds markers (the end of thinking, the beginning of a tool call) in a reply while it is written. Text that might begin a marker is held
// back until that is decided.

import type { TokenLogprob } from '@hearth/protocol'
import type { Token } from '../native/native.ts'

/** A token of the reply, or the part of a token next to a marker. */
export interface Piece {
  token: Token
  /** The position of the token in the reply. */
  position: number
  /** With the names of control tokens. */
  raw: Buffer
  visible: Buffer
  logprob?: TokenLogprob
}

export interface Found {
  mark: string
  /** The pieces of the marker. */
  pieces: Piece[]
  /** The pieces after the marker. */
  rest: Piece[]
}

export class MarkScanner {
  readonly #marks: readonly { text: string; bytes: Buffer }[]
  #held: Piece[] = []

  constructor(marks: readonly string[]) {
    this.#marks = marks.map((text) => ({ text, bytes: Buffer.from(text) }))
  }

  /** `passed` can't be part of a marker. */
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

  /** The number of bytes at the end that could begin a marker. */
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
      const piece = this.#held.shift()
      if (piece === undefined) break
      const [first, rest] = piece.raw.length <= left ? [piece] : splitPiece(piece, left)
      taken.push(first)
      if (rest !== undefined) this.#held.unshift(rest)
      left -= first.raw.length
    }
    return taken
  }
}

// No part of a control token is visible.
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

/** With the names of control tokens. */
export function textOf(pieces: readonly Piece[]): string {
  return Buffer.concat(pieces.map(({ raw }) => raw)).toString()
}

export function isBlank(piece: Piece): boolean {
  return piece.raw.every(isBlankByte)
}

export function withoutLeadingSpace(piece: Piece): Piece {
  const first = piece.visible.findIndex((byte) => !isBlankByte(byte))
  return { ...piece, visible: piece.visible.subarray(first < 0 ? piece.visible.length : first) }
}

function isBlankByte(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}
