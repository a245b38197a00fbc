// Pieces of a reply, as a model would write them.

import type { Piece } from '../reply/marks.ts'

/** `{…}` around a piece makes it a control token, which has a name but no visible text. */
export function toPieces(texts: readonly string[]): Piece[] {
  return texts.map((text, position) => {
    const isControl = text.startsWith('{<') && text.endsWith('>}')
    const raw = Buffer.from(isControl ? text.slice(1, -1) : text)
    return { token: position, position, raw, visible: isControl ? Buffer.alloc(0) : raw }
  })
}
