// Text as one word of a POSIX shell.

export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** For people, who read a plain path more easily. */
export function quoteIfNeeded(text: string): string {
  return /^[\w./\\:@%+,=-]+$/.test(text) ? text : quote(text)
}
