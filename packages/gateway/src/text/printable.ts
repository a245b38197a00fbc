// Text from outside that people will read, in a terminal, a log or the console: without control characters, which a terminal would obey, and
// without characters that turn the direction of text around.

const CHARACTERS = String.raw`\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069`
const UNPRINTABLE = new RegExp(`[${CHARACTERS}]`, 'gu')
const UNPRINTABLE_IN_LINES = new RegExp(String.raw`(?![\n\t])[${CHARACTERS}]`, 'gu')
/** Names that others have to repeat exactly are rejected instead of cleaned. */
export const PRINTABLE = new RegExp(`^[^${CHARACTERS}]*$`, 'u')

export function dropUnprintable(text: string): string {
  return PRINTABLE.test(text) ? text : text.replaceAll(UNPRINTABLE, '')
}

/** The same for every text in it, however deep, so that a field that is added later can't be forgotten. */
export function dropUnprintableInside<Value>(value: Value): Value {
  return clean(value) as Value
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return dropUnprintable(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, clean(inner)]))
}

/** Makes every unprintable character visible, as JSON does: an escape character becomes \u001b. Only line breaks and tabs stay. */
export function escapeUnprintable(text: string): string {
  return text.replaceAll(UNPRINTABLE_IN_LINES, escape)
}

/** The same for text that has to stay on one line. */
export function escapeToOneLine(text: string): string {
  return text.replaceAll(UNPRINTABLE, escape)
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
