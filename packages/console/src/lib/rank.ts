// Finds what someone means by a few typed letters: "cr k" finds "Create a key", "qw8" finds "qwen3:8b".

const WHOLE = 4
const START_OF_WORD = 3
const INSIDE = 2

/** Rows that match every typed word, the best match first. With nothing typed, all rows in their order. */
export function rank<Row>(rows: readonly Row[], typed: string, textOf: (row: Row) => string): Row[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...rows]
  return rows
    .map((row) => ({ row, score: score(words, textOf(row).toLowerCase()) }))
    .filter(({ score: found }) => found > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ row }) => row)
}

/** 0 if a word does not match. Short texts win over long ones that match as well. */
export function score(words: readonly string[], text: string): number {
  const scores = words.map((word) => scoreWord(word, text))
  if (scores.includes(0)) return 0
  return scores.reduce((sum, one) => sum + one, 0) / words.length + 1 / (text.length + 1)
}

function scoreWord(word: string, text: string): number {
  if (text.startsWith(word)) return WHOLE
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return START_OF_WORD
  return text.includes(word) ? INSIDE : scoreLetters(word, text)
}

/** Between 0 and 1: all letters in this order, the closer together the better. */
function scoreLetters(letters: string, text: string): number {
  const start = text.indexOf(letters.charAt(0))
  let end = start
  for (const letter of letters.slice(1)) {
    end = text.indexOf(letter, end + 1)
    if (end === -1) return 0
  }
  return start === -1 ? 0 : letters.length / (end - start + 1)
}
