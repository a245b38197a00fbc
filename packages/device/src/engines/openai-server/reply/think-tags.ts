// Removes thinking at the start of an answer, in the tags of many models, for servers that don't do it themselves. Works on bytes, because a token may end in the
// middle of a character.

export interface Visible {
  bytes: Buffer
  /** 'undecided' while the text may still turn out to be a tag. */
  fate: 'shown' | 'hidden' | 'undecided'
}

const FATES = { beginning: 'undecided', thinking: 'hidden', gap: 'hidden', text: 'shown' } as const
const TAGS = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['[THINK]', '[/THINK]'],
  ['<seed:think>', '</seed:think>'],
  ['<mm:think>', '</mm:think>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|channel>thought', '<channel|>'],
] as const

export class ThinkTags {
  #state: keyof typeof FATES
  /** Latin-1, so that every byte is one character. */
  #held = ''
  #closing: string = TAGS[0][1]

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
    const opened = TAGS.find(([opening]) => begun.startsWith(opening))
    if (opened !== undefined) {
      this.#state = 'thinking'
      this.#closing = opened[1]
      this.#held = begun.slice(opened[0].length)
    } else if (!TAGS.some(([opening]) => opening.startsWith(begun))) this.#state = 'text'
  }

  #readClosing(): void {
    const at = this.#held.indexOf(this.#closing)
    if (at < 0) this.#held = this.#held.slice(-this.#closing.length + 1)
    else {
      this.#state = 'gap'
      this.#held = this.#held.slice(at + this.#closing.length)
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
