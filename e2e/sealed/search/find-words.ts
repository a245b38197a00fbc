// Looks for words in bytes, in every form in which a program may keep a text: as it is, with two bytes per character, and as base64.

/** The words that the bytes hold. All bytes are searched for their common beginning first: there are gigabytes, and it is hardly ever there. */
export function findWords(bytes: Buffer, words: readonly string[]): string[] {
  return holds(bytes, commonBeginning(words)) ? words.filter((word) => holds(bytes, word)) : []
}

function holds(bytes: Buffer, word: string): boolean {
  return formsOf(word).some((form) => bytes.includes(form))
}

function commonBeginning([first = '', ...others]: readonly string[]): string {
  let length = first.length
  while (!others.every((word) => word.startsWith(first.slice(0, length)))) length -= 1
  return first.slice(0, length)
}

/** The longest form of a word, in bytes: pieces of a stream overlap by so much, so that no word is cut in two. */
export function longestForm(words: readonly string[]): number {
  return Math.max(...words.flatMap((word) => formsOf(word).map(({ length }) => length)))
}

const forms = new Map<string, readonly Buffer[]>()

function formsOf(word: string): readonly Buffer[] {
  const known = forms.get(word)
  if (known) return known
  const made = [Buffer.from(word), Buffer.from(word, 'utf16le'), ...base64Forms(word)]
  forms.set(word, made)
  return made
}

/** In base64 a word looks different at each of three places; its first and last characters depend on its neighbors, so they are left out. */
function base64Forms(word: string): Buffer[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(word)]).toString('base64url')
    const start = before === 0 ? 0 : before + 1
    return Buffer.from(text.slice(start, Math.floor(((before + word.length) * 8) / 6)))
  })
}
