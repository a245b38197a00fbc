// Removes `<think>…</think>` at the start of an answer, for servers that don't do it themselves. Works on bytes, because a token may end in the
// middle of a character.

export interface Visible {
  bytes: Buffer
  /** 'undecided' while the text may still turn out to be a tag. */
  fate: 'shown' | 'hidden' | 'undecided'
}

const FATES = { beginning: 'undecided', thinking: 'hidden', gap: 'hidden', text: 'shown' } as const
const OPENING = '<think>'
const CLOSING = '</think>'

export class ThinkTags {
  #state: keyof typeof FATES
  /** Latin-1, so that every byte is one character. */
  #held = ''

  /** Some templates open the tag themselves; then the answer starts inside it. */
  constructor(startsThinking: boolean) {
    this.#state = startsThinking ? 'thinking' : 'beginning'
  }

  get isThinking(): boolean {
    return this.#state === 'thinking'
  }

  push(bytes: Buffer): Visible {
    if (this.#state === 'text') return { bytes, fate: 'shown' }
    this.#held += bytes.toString('latin1')
    if (this.#state === 'beginning') this.#readOpening()
    if (this.#state === 'thinking') this.#readClosing()
    if (this.#state === 'gap') this.#skipGap()
    return { bytes: this.#take(), fate: FATES[this.#state] }
  }

  /** Call at the end of the answer: returns held-back text that is not a tag. */
  flush(): Buffer {
    if (this.#state === 'beginning') this.#state = 'text'
    return this.#take()
  }

  #readOpening(): void {
    const begun = this.#held.trimStart()
    if (begun.startsWith(OPENING)) {
      this.#state = 'thinking'
      this.#held = begun.slice(OPENING.length)
    } else if (!OPENING.startsWith(begun)) this.#state = 'text'
  }

  #readClosing(): void {
    const at = this.#held.indexOf(CLOSING)
    if (at < 0) this.#held = this.#held.slice(-CLOSING.length + 1)
    else {
      this.#state = 'gap'
      this.#held = this.#held.slice(at + CLOSING.length)
    }
  }

  #skipGap(): void {
    this.#held = this.#held.replace(/^[ \t\r\n]+/, '')
    if (this.#held !== '') this.#state = 'text'
  }

  #take(): Buffer {
    if (this.#state !== 'text') return Buffer.alloc(0)
    const bytes = Buffer.from(this.#held, 'latin1')
    this.#held = ''
    return bytes
  }
}
