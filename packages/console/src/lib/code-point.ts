/** The code point of the first character. */
export function codePointOf(character: string): number {
  const code = character.codePointAt(0)
  if (code === undefined) throw new Error('An empty text has no code point.')
  return code
}
