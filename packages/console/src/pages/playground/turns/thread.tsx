import { ArrowDown } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { Button } from '../../../parts/control/button.tsx'
import type { Turn } from '../conversation/conversation.ts'
import { useStickToEnd } from './use-stick-to-end.ts'
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
