// Shows progress while Hearth starts: one line per step, and on a terminal one line that updates in place.

export class Screen {
  readonly #output: NodeJS.WriteStream
  #moving = ''

  constructor(output: NodeJS.WriteStream) {
    this.#output = output
  }

  step(text: string): void {
    this.#clear()
    this.#output.write(`  ${text}\n`)
  }

  print(text: string): void {
    this.#clear()
    this.#output.write(`${text}\n`)
  }

  /** Only on a terminal: a log needs no progress lines. */
  move(text: string): void {
    if (!this.#output.isTTY || text === this.#moving) return
    this.#clear()
    this.#moving = text.slice(0, (this.#output.columns || 80) - 4)
    this.#output.write(`  ${this.#moving}`)
  }

  #clear(): void {
    if (this.#moving !== '') this.#output.write(`\r${' '.repeat(this.#moving.length + 2)}\r`)
    this.#moving = ''
  }
}
