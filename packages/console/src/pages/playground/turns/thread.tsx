import { ArrowDown } from 'lucide-react'
import { useRef, type ReactNode, useCallback, useEffect, useLayoutEffect, useState, type RefObject } from 'react'
import { Button } from '../../../parts/control/button.tsx'
import type { Turn } from '../conversation/conversation.ts'
import './thread.css'

interface ThreadProps {
  turns: readonly Turn[]
  label: string
  children: ReactNode
}

/** The part of the playground that scrolls. It follows the newest turn until you scroll up. */
export function Thread({ turns, label, children }: ThreadProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { isAtEnd, jump } = useStickToEnd(scroller, turns)
  return (
    <div className="thread">
      <div ref={scroller} className="thread-scroller" tabIndex={0} role="region" aria-label={label}>
        <div className="thread-content">{children}</div>
      </div>
      {!isAtEnd && turns.length > 0 && (
        <Button size="small" icon={ArrowDown} className="thread-jump" onClick={jump}>
          Jump to latest
        </Button>
      )}
    </div>
  )
}

/** Within this many pixels of the bottom, the viewer counts as being at the bottom. */
const NEAR = 48

/** Keeps the bottom of the scroller in view while a response grows, unless the viewer scrolls up. */
function useStickToEnd(scroller: RefObject<HTMLElement | null>, turns: readonly Turn[]) {
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
