/** Descriptions are fragments in lists of commands, and a sentence in a command's own help. */
export function asSentence(text: string): string {
  return text === '' || text.endsWith('.') ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
