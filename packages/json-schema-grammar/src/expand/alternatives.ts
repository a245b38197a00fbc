// The shapes that a value can have, of which it has to have one.

import type { Shape } from '../shape/shape.ts'

export interface Alternatives {
  readonly shapes: readonly Shape[]
  /** Why there are none, if that is known. */
  readonly conflict?: string | undefined
}

export const NO_ALTERNATIVE: Alternatives = { shapes: [] }

/** Every shape of every part. */
export function anyOfAlternatives(parts: readonly Alternatives[]): Alternatives {
  const shapes = parts.flatMap((part) => part.shapes)
  return shapes.length > 0 ? { shapes } : { shapes, conflict: parts.findLast(({ conflict }) => conflict)?.conflict }
}
