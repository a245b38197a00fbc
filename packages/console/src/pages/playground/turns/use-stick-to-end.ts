import { useRef, useCallback, useEffect, useLayoutEffect, useState, type RefObject } from 'react'
import type { Turn } from '../conversation/turn.ts'

/** Within this many pixels of the bottom, the viewer counts as being at the bottom. */
const NEAR = 48

/** Keeps the bottom of the scroller in view while a response grows, unless the viewer scrolls up. */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, turns: readonly Turn[]) {
  const [isAtEnd, setAtEnd] = useState(true)
  const count = useRef(0)
  const jump = useCallback(() => {
    const { current: element } = scroller
    element?.scrollTo({ top: element.scrollHeight, behavior: 'instant' })
  }, [scroller])
  useEffect(() => {
    const { current: element } = scroller
    if (element === null) return undefined
    const note = () => setAtEnd(element.scrollTop + element.clientHeight >= element.scrollHeight - NEAR)
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [scroller])
  const isStuck = useRef(true)
  isStuck.current = isAtEnd
  // Formulas and colored code take their room later than the text, and notes above the conversation take room from it.
  useEffect(() => {
    const { current: element } = scroller
    if (element === null) return undefined
    const observer = new ResizeObserver(() => isStuck.current && jump())
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    return () => observer.disconnect()
  }, [scroller, jump])
  useLayoutEffect(() => {
    const hasNew = turns.length > count.current
    count.current = turns.length
    if (hasNew || isAtEnd) jump()
  }, [turns, isAtEnd, jump])
  return { isAtEnd, jump }
}
