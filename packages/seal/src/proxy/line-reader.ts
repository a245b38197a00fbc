// Cuts the bytes of an event stream into lines. Bounded: a line without an end must not fill our memory.

type TakeLine = (line: string) => void

const LINE_END = 0x0a

export class LineReader {
  readonly #maxBytes: number
  readonly #take: TakeLine
  #rest: Buffer[] = []
  #restBytes = 0

  constructor(maxBytes: number, take: TakeLine) {
    this.#maxBytes = maxBytes
    this.#take = take
  }

  /** False if a line is too long. */
  add(chunk: Buffer): boolean {
    let start = 0
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      if (!this.#keep(chunk.subarray(start, end))) return false
      this.#finish()
      start = end + 1
    }
    return this.#keep(chunk.subarray(start))
  }

  #keep(bytes: Buffer): boolean {
    this.#restBytes += bytes.length
    if (bytes.length > 0) this.#rest.push(bytes)
    return this.#restBytes <= this.#maxBytes
  }

  #finish(): void {
    const line = (this.#rest.length === 1 ? this.#rest[0] : Buffer.concat(this.#rest))?.toString() ?? ''
    this.#rest = []
    this.#restBytes = 0
    this.#take(line)
  }
}
