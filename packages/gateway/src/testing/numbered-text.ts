// Text that proves itself: token k of an answer is "tk", so counting the tokens shows whether any were lost, repeated or reordered.

export function numberedToken(index: number): string {
  return index === 0 ? 't0' : ` t${index}`
}

export function numberedText(count: number): string {
  return Array.from({ length: count }, (_, index) => numberedToken(index)).join('')
}

/** Returns the number of tokens in the text. Throws at the first token that is out of place. */
export function checkNumberedText(text: string): number {
  if (text === '') return 0
  const words = text.split(' ')
  for (const [index, word] of words.entries())
    if (word !== `t${index}`) throw new Error(`Numbered text breaks at token ${index}: found "${word.slice(0, 40)}"`)
  return words.length
}
