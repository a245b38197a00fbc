import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../control/button.tsx'

interface PagerProps {
  /** Rows on a page. */
  size: number
  page: number
  last: number
  count: number
  onPage: (page: number) => void
}

export function Pager({ size, page, last, count, onPage }: PagerProps) {
  const first = page * size + 1
  return (
    <nav className="flex items-center justify-end gap-5 border-t border-line px-10 py-6" aria-label="Pages">
      <span className="text-soft tabular-nums" aria-live="polite">
        {formatCount(first)}–{formatCount(Math.min(first + size - 1, count))} of {formatCount(count)}
      </span>
      <Button
        size="small"
        icon={ChevronLeft}
        aria-label="Previous page"
        word="Previous"
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      />
      <Button
        size="small"
        icon={ChevronRight}
        aria-label="Next page"
        word="Next"
        disabled={page === last}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  )
}
