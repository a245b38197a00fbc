// Measures how deeply JSON text is nested without parsing it: a million brackets would keep a parser busy for a second.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

export function isDeeperThan(limit: number, json: Uint8Array): boolean {
  let depth = 0
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]!
    if (byte === QUOTE) index = endOfString(json, index)
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > limit) return true
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
  }
  return false
}

// Most of a request is inside strings, where the native search is far faster than a loop.
function endOfString(json: Uint8Array, start: number): number {
  for (let index = json.indexOf(QUOTE, start + 1); index !== -1; index = json.indexOf(QUOTE, index + 1))
    if (!isEscaped(json, index)) return index
  return json.length
}

function isEscaped(json: Uint8Array, quote: number): boolean {
  let backslashes = 0
  while (json[quote - 1 - backslashes] === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}
