// Evaluates the subset of C++ expressions that llama.cpp's chat tests use: strings, lists, names, calls of known functions and sums. It
// also reads chains like `tester.test("…").tools({…}).run()`. Everything else throws `Unreadable`.

import type { CppToken } from './cpp-tokens.ts'

export type CppValue = string | boolean | CppValue[] | Link[] | Record<string, unknown> | undefined
export interface Link {
  name: string
  args: CppValue[]
}

export class Unreadable extends Error {}

export type Known = ReadonlyMap<string, unknown>
export type Functions = Readonly<Record<string, (...args: CppValue[]) => CppValue>>

export class CppReader {
  readonly #tokens: readonly CppToken[]
  readonly #known: Known
  readonly #functions: Functions
  at: number

  constructor(tokens: readonly CppToken[], at: number, known: Known, functions: Functions) {
    this.#tokens = tokens
    this.at = at
    this.#known = known
    this.#functions = functions
  }

  isAt(text: string): boolean {
    const token = this.#tokens[this.at]
    return token !== undefined && token.kind !== 'string' && token.text === text
  }

  expression(): CppValue {
    let value = this.#single()
    while (this.isAt('+')) {
      this.at++
      const more = this.#single()
      if (typeof value !== 'string' || typeof more !== 'string') throw new Unreadable('only strings are added')
      value += more
    }
    return value
  }

  /** `.name(args).name(args)…` */
  links(): Link[] {
    const links: Link[] = []
    while (this.isAt('.')) {
      this.at++
      const name = this.#name()
      this.#expect('(')
      links.push({ name, args: this.#list(')') })
    }
    return links
  }

  #single(): CppValue {
    const token = this.#tokens[this.at]
    if (token === undefined) throw new Unreadable('the source ends')
    if (token.kind === 'string' || token.kind === 'number') {
      this.at++
      return token.text
    }
    if (this.isAt('{')) {
      this.at++
      return this.#list('}')
    }
    return token.kind === 'name' ? this.#named(this.#name()) : unreadable(token)
  }

  #named(name: string): CppValue {
    if (name === 'true' || name === 'false') return name === 'true'
    if (this.isAt('(') || this.isAt('{')) {
      const close = this.isAt('(') ? ')' : '}'
      this.at++
      const args = this.#list(close)
      const called = this.#functions[name]
      if (called === undefined) throw new Unreadable(`unknown function ${name}`)
      return called(...args)
    }
    if (this.#known.has(name)) return this.#known.get(name) as CppValue
    if (/^[A-Z_]+$/.test(name)) return name
    throw new Unreadable(`unknown name ${name}`)
  }

  #list(close: string): CppValue[] {
    const values: CppValue[] = []
    while (!this.isAt(close)) {
      values.push(this.expression())
      if (this.isAt(',')) this.at++
      else if (!this.isAt(close)) throw new Unreadable(`expected ${close}`)
    }
    this.at++
    return values
  }

  #name(): string {
    const token = this.#tokens[this.at++]
    if (token?.kind !== 'name') throw new Unreadable('expected a name')
    return token.text
  }

  #expect(text: string): void {
    if (!this.isAt(text)) throw new Unreadable(`expected ${text}`)
    this.at++
  }
}

function unreadable(token: CppToken): never {
  throw new Unreadable(`can't read ${token.text}`)
}
