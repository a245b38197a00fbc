// Text from outside that people will read, in a terminal, a log or the console: without control characters, which a terminal would obey, and
// without characters that turn the direction of text around.

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069]/gu
const UNPRINTABLE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069]/gu

export function dropUnprintable(text: string): string {
  return text.replaceAll(UNPRINTABLE, '')
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
