import { Meter } from '../chart/meter.tsx'

interface SlotsProps {
  running: number
  slots: number
  /** Jobs waiting for a slot. */
  queued?: number
}

export function SlotsInUse({ running, slots, queued = 0 }: SlotsProps) {
  if (slots === 0 && queued === 0) return <span className="text-faint">–</span>
  return (
    <span className="grid grid-cols-[auto_minmax(3rem,5rem)] gap-6 items-center justify-start whitespace-nowrap">
      <span className="tabular-nums min-w-26">
        {running}/{slots}
        {queued > 0 && <span className="text-warn"> +{queued} waiting</span>}
      </span>
      <Meter label="Slots in use" value={running} most={slots} />
    </span>
  )
}
