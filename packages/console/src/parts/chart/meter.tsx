import './meter.css'

interface MeterProps {
  label: string
  value: number
  /** Null if the total is unknown. */
  most: number | null
}

/** A bar for how much is used or done. The caller shows the numbers next to it. */
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
