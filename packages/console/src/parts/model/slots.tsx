import { Meter } from '../chart/meter.tsx'
import './slots.css'

interface SlotsProps {
  running: number
  slots: number
  /** Jobs waiting for a slot. */
  queued?: number
}

export function SlotsInUse({ running, slots, queued = 0 }: SlotsProps) {
  if (slots === 0 && queued === 0) return <span className="faint">–</span>
  return (
    <span className="slots">
      <span className="numbers">
        {running}/{slots}
        {queued > 0 && <span className="warn"> +{queued} waiting</span>}
      </span>
      <Meter label="Slots in use" value={running} most={slots} />
    </span>
  )
}
