import { ArrowDown } from 'lucide-react'
import { useRef, type ReactNode, useCallback, useEffect, useLayoutEffect, useState, type RefObject } from 'react'
import { Button } from '../../../parts/control/button.tsx'
import type { Turn } from '../conversation/conversation.ts'

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
    <div className="relative flex flex-1 min-h-0">
      <div
        ref={scroller}
        className="flex flex-1 flex-col min-w-0 overflow-y-auto overscroll-contain px-2.5 pt-2.5 pb-10 *:w-full *:max-w-reading *:mx-auto"
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <div className="flex flex-[1_0_auto] flex-col min-w-0">{children}</div>
      </div>
      {!isAtEnd && turns.length > 0 && (
        <Button
          size="small"
          icon={ArrowDown}
          className="absolute bottom-5 left-1/2 shadow-large -translate-x-1/2"
          onClick={jump}
        >
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
