import './meter.css'

interface MeterProps {
  label: string
  value: number
  /** Null: nobody knows how much there is. */
  most: number | null
}

/** How much of something is used or done. The numbers stand beside it, as text of the caller. */
export function Meter({ label, value, most }: MeterProps) {
  const share = most === null || most === 0 ? 0 : Math.min(value / most, 1)
  return (
    <span
      className={`meter ${most === null ? 'meter-unknown' : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={most ?? undefined}
      aria-valuenow={most === null ? undefined : value}
    >
      <span className="meter-bar" style={{ width: `${share * 100}%` }} />
    </span>
  )
}
