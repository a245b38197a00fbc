// Typesets a formula with KaTeX. Loaded only when a response contains one.

import katex from 'katex'
import 'katex/dist/katex.min.css'
import { useLayoutEffect, useRef } from 'react'
import type { FormulaSource } from './formulas.ts'

// The model may be hostile: no links, images or HTML, no endless macros, no giant boxes.
const LIMITS = { trust: false, strict: 'ignore', maxExpand: 200, maxSize: 20, throwOnError: true } as const

export function Formula({ tex, isDisplay }: FormulaSource) {
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (place.current) typeset(place.current, { tex, isDisplay })
  }, [tex, isDisplay])
  if (!isDisplay) return <span ref={place} />
  return (
    <span
      ref={place}
      className="block overflow-x-auto overflow-y-hidden rounded-small py-1.5 [&>.katex-display]:m-0!"
      tabIndex={0}
      role="region"
      aria-label="Formula"
    />
  )
}

/** KaTeX builds elements instead of HTML text, as the content security policy requires. What it can't read stays as it is. */
function typeset(place: HTMLElement, { tex, isDisplay }: FormulaSource): void {
  try {
    katex.render(tex, place, { ...LIMITS, displayMode: isDisplay })
  } catch {
    place.textContent = tex
    place.classList.add('font-mono')
  }
}
