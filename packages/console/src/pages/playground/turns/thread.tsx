import { ArrowDown } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { Button } from '../../../parts/control/button.tsx'
import type { Turn } from '../conversation/turn.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

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
