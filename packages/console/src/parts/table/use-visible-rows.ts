// Which rows of a long table are on the screen. Works in whatever scrolls: the page, a dialog or the window.

import { useCallback, useEffect, useState, type RefObject } from 'react'

/** Rows above and below the screen that are rendered too, so that scrolling shows no gaps. */
const MARGIN = 20

export interface RowRange {
  first: number
  /** Not included. */
  end: number
}

export function useVisibleRows(body: RefObject<HTMLElement | null>, count: number, rowHeight: number): RowRange {
  const [range, setRange] = useState<RowRange>({ first: 0, end: Math.min(count, 3 * MARGIN) })
  const look = useCallback(() => {
    if (!body.current) return
    const { top } = body.current.getBoundingClientRect()
    const next = rowsAt(-top, window.innerHeight, rowHeight, count)
    setRange((before) => (before.first === next.first && before.end === next.end ? before : next))
  }, [body, count, rowHeight])
  useEffect(() => {
    const frame = requestAnimationFrame(look)
    // Scrolling does not bubble, but it can be captured on the way down.
    document.addEventListener('scroll', look, { capture: true, passive: true })
    window.addEventListener('resize', look)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('scroll', look, { capture: true })
      window.removeEventListener('resize', look)
    }
  }, [look])
  return { first: Math.min(range.first, count), end: Math.min(range.end, count) }
}

/** Moves in steps, so that most scrolling renders nothing. A table below the screen has its first rows already. */
export function rowsAt(scrolled: number, height: number, rowHeight: number, count: number): RowRange {
  const step = MARGIN / 2
  const first = Math.floor(scrolled / rowHeight / step) * step - step
  const end = Math.ceil((scrolled + height) / rowHeight / step) * step + step
  return { first: Math.min(Math.max(0, first), count), end: Math.min(Math.max(MARGIN, end), count) }
}
