/**
 * The same text in one piece. Joined text is kept as a tree of its parts, and copying from a tree takes much longer: worth it for text that
 * is sent many times.
 */
export function flat(text: string): string {
  return Buffer.from(text).toString()
}
