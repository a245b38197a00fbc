/** JSON that is nested deeper would become many times longer than its text. */
const MOST_LEVELS = 50

/** Indented, or unchanged if it is not valid JSON, or nested too deep. */
export function indentJson(text: string): string {
  if (levelsOf(text) > MOST_LEVELS) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Counts brackets in strings, too. */
function levelsOf(text: string): number {
  let level = 0
  let most = 0
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    level += bracket === '[' || bracket === '{' ? 1 : -1
    most = Math.max(most, level)
  }
  return most
}
