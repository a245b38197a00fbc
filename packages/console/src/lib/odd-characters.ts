// Devices and people choose names, which may contain invisible characters or ones that reverse the text around them. They are shown as
// code points, so that no name can pass for another.

/** Control, format and private-use characters, lone surrogates, unusual spaces, fillers. A joiner inside an emoji is legitimate. */
const ODD =
  /\p{Cc}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}|(?<!\p{Extended_Pictographic}\uFE0F?)\u200D|(?!\u200D)\p{Cf}|[\u00A0\u115F\u1160\u2000-\u200A\u202F\u205F\u2800\u3000\u3164\uFFA0]/gu

export interface Piece {
  text: string
  isOdd: boolean
}

export function splitOddCharacters(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { index, 0: odd } of text.matchAll(ODD)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isOdd: false })
    pieces.push({ text: writeOut(odd), isOdd: true })
    end = index + odd.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isOdd: false })
  return pieces
}

/** For places that only take plain text, such as titles and labels. */
export function showOddCharacters(text: string): string {
  return splitOddCharacters(text)
    .map((piece) => (piece.isOdd ? `⟨${piece.text}⟩` : piece.text))
    .join('')
}

function writeOut(odd: string): string {
  return `U+${(odd.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
