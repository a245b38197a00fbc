const WIDTH = 240
const HEIGHT = 44

/** A small chart without axes. `label` describes it for screen readers. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(...values, 1)
  const step = WIDTH / Math.max(values.length - 1, 1)
  const points = values.map((value, index) => `${index * step},${HEIGHT - 2 - (value / most) * (HEIGHT - 6)}`)
  return (
    <svg
      className="block w-full h-27.5"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polygon className="fill-chart-soft" points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline
        className="fill-none stroke-chart stroke-[1.5] [stroke-linejoin:round] [vector-effect:non-scaling-stroke]"
        points={points.join(' ')}
      />
    </svg>
  )
}
