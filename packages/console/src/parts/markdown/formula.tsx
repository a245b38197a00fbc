// Typesets a formula with KaTeX. Loaded only when a response contains one.

import katex from 'katex'
import 'katex/dist/katex.min.css'
import { useLayoutEffect, useRef } from 'react'
import { FORMULA_LIMITS, isShallow } from './formula-limits.ts'

export function Formula({ tex, isDisplay }: { tex: string; isDisplay: boolean }) {
  const element = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (element.current) typeset(element.current, tex, isDisplay)
  }, [tex, isDisplay])
  if (!isDisplay) return <span ref={element} />
  return (
    <span
      ref={element}
      className="block overflow-x-auto overflow-y-hidden rounded-small py-1.5 [&>.katex-display]:m-0!"
      tabIndex={0}
      role="region"
      aria-label="Formula"
    />
  )
}

/** KaTeX builds elements instead of HTML text, as the content security policy requires. What it can't read stays as it is. */
function typeset(element: HTMLElement, tex: string, isDisplay: boolean): void {
  const formula = document.createElement('span')
  try {
    katex.render(tex, formula, { ...FORMULA_LIMITS, displayMode: isDisplay })
  } catch {
    formula.textContent = tex
  }
  const isTypeset = formula.firstElementChild !== null && isShallow(formula)
  element.classList.toggle('font-mono', !isTypeset)
  element.replaceChildren(...(isTypeset ? formula.childNodes : [tex]))
}
