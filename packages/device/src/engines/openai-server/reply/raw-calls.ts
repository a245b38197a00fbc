// Finds tool calls that a server left in the text: it doesn't know the model's format, or gave up on a slip. Text from the first sign of a
// call on is held back until the answer is complete; if it isn't a call, it is released as text.

import type { JobTool } from '@hearth/protocol'
import { COMMON_SYNTAXES } from '../../formats/common-syntaxes.ts'
import { isCutMark, readCalls, readCutCalls, type ReadCall } from '../../formats/tool-calls.ts'
import type { ToolSyntax } from '../../formats/tool-syntax.ts'

/** In Latin-1, so that every byte is one character. */
const TRIGGERS = [...new Set(COMMON_SYNTAXES.flatMap(({ triggers }) => triggers.map(({ text }) => toLatin1(text))))]

export class RawCalls {
  readonly #tools: readonly JobTool[]
  #held = ''
  #isCalling = false

  /** Without tools, everything is text. */
  constructor(tools: readonly JobTool[]) {
    this.#tools = tools
  }

  /** Returns the bytes that can't be part of a call. */
  push(bytes: Buffer): Buffer {
    if (this.#tools.length === 0) return bytes
    this.#held += bytes.toString('latin1')
    if (this.#isCalling) return Buffer.alloc(0)
    const starts = TRIGGERS.map((trigger) => this.#held.indexOf(trigger)).filter((at) => at >= 0)
    this.#isCalling = starts.length > 0
    return this.#take(this.#isCalling ? Math.min(...starts) : this.#held.length - mayBegin(this.#held))
  }

  /** Call at the end of the answer. If it was cut off, an incomplete call is neither a call nor text. */
  end(isCut: boolean): { calls: readonly ReadCall[] } | { rest: Buffer } {
    const rest = this.#take(this.#held.length)
    const text = rest.toString()
    if (!this.#isCalling) return isCut && isCutMark(text) ? { calls: [] } : { rest }
    const calls = isCut ? this.#readCut(text) : this.#read(text)
    return calls === undefined ? { rest } : { calls }
  }

  #read(text: string): ReadCall[] | undefined {
    return this.#readAs((syntax) => readCalls(text, syntax, this.#tools))[0]
  }

  /** Several formats begin alike: the right one finds most calls. */
  #readCut(text: string): ReadCall[] | undefined {
    const all = this.#readAs((syntax) => readCutCalls(text, syntax, this.#tools)?.calls)
    return all.toSorted((a, b) => b.length - a.length)[0]
  }

  #readAs(read: (syntax: ToolSyntax) => ReadCall[] | undefined): ReadCall[][] {
    return COMMON_SYNTAXES.map(read).filter((calls) => calls !== undefined)
  }

  #take(length: number): Buffer {
    const taken = Buffer.from(this.#held.slice(0, length), 'latin1')
    this.#held = this.#held.slice(length)
    return taken
  }
}

/** The number of bytes at the end that could begin a trigger. */
function mayBegin(text: string): number {
  const longest = Math.max(...TRIGGERS.map((trigger) => trigger.length - 1))
  for (let length = Math.min(longest, text.length); length > 0; length--)
    if (TRIGGERS.some((trigger) => trigger.length > length && trigger.startsWith(text.slice(-length)))) return length
  return 0
}

function toLatin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}
