import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Turn } from './conversation.ts'

/** Within this many pixels of the bottom, the viewer counts as being at the bottom. */
const NEAR = 120

/** Keeps the bottom in view while a response grows, unless the viewer scrolls up. */
export function useStickToEnd(turns: readonly Turn[]): void {
  const isAtEnd = useRef(true)
  const count = useRef(0)
  useEffect(() => {
    const note = () => {
      const { scrollHeight } = document.documentElement
      isAtEnd.current = window.scrollY + window.innerHeight >= scrollHeight - NEAR
    }
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [])
  useLayoutEffect(() => {
    const hasNew = turns.length > count.current
    count.current = turns.length
    if (turns.length > 0 && (hasNew || isAtEnd.current))
      window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
  }, [turns])
}
