// Picks the passages of a page that match the question best, in the page's order.

const PASSAGE_LENGTH = 400

export function choosePassages(text: string, question: string, maxLength: number): string {
  const passages = splitPassages(text)
  const wanted = new Set(wordsOf(question))
  const scored = passages.map((passage, index) => ({ passage, index, score: score(passage, wanted) }))
  // If nothing matches, the start of the page is the best guess.
  const best = scored.toSorted((a, b) => b.score - a.score || a.index - b.index)
  let room = maxLength
  const chosen = best.filter(({ passage }) => {
    const fits = passage.length <= room
    if (fits) room -= passage.length + 3
    return fits
  })
  if (chosen.length === 0) return text.slice(0, maxLength)
  return chosen
    .toSorted((a, b) => a.index - b.index)
    .map(({ passage }) => passage)
    .join(' … ')
}

function splitPassages(text: string): string[] {
  const passages: string[] = []
  for (const line of text.split('\n').flatMap(cutLong)) {
    const last = passages.at(-1)
    if (last !== undefined && last.length + line.length < PASSAGE_LENGTH)
      passages[passages.length - 1] = `${last} ${line}`
    else passages.push(line)
  }
  return passages
}

function cutLong(line: string): string[] {
  const count = Math.ceil(line.length / PASSAGE_LENGTH)
  return Array.from({ length: count }, (_, at) => line.slice(at * PASSAGE_LENGTH, (at + 1) * PASSAGE_LENGTH))
}

function score(passage: string, wanted: ReadonlySet<string>): number {
  return new Set(wordsOf(passage).filter((word) => wanted.has(word))).size
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
}
