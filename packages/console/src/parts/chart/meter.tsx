interface MeterProps {
  label: string
  value: number
  /** Null if the total is unknown. */
  most: number | null
  /** Of the bar, as a class. */
  color?: string | undefined
}

/** A bar for how much is used or done. The caller shows the numbers next to it. */
export function Meter({ label, value, most, color = 'bg-meter' }: MeterProps) {
  const share = most === null || most === 0 ? 0 : Math.min(value / most, 1)
  return (
    <span
      className="block w-full min-w-30 h-[6px] overflow-hidden bg-meter-ground rounded-[3px]"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={most ?? undefined}
      aria-valuenow={most === null ? undefined : value}
    >
      <span
        className={`block h-full rounded-[3px] transition-[width] duration-300 ${color} ${most === null ? 'motion-safe:animate-wander' : ''}`}
        style={{ width: most === null ? '30%' : `${share * 100}%` }}
      />
    </span>
  )
}
