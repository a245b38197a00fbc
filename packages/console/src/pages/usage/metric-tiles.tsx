import { errorRate, formatPercent, METRIC_NAMES, METRICS, type Counters, type MetricName } from './metrics.ts'

interface MetricTilesProps {
  total: Counters
  metric: MetricName
  onChoose: (metric: MetricName) => void
}

/** Totals of the whole range. The chart shows the selected one. */
export function MetricTiles({ total, metric, onChoose }: MetricTilesProps) {
  return (
    <div className="tiles" role="group" aria-label="Metric">
      {METRIC_NAMES.map((name) => (
        <button
          key={name}
          type="button"
          className="tile card"
          aria-pressed={name === metric}
          onClick={() => onChoose(name)}
        >
          <span className="soft small">{METRICS[name].title}</span>
          <span className="tile-value numbers">{valueOf(name, total)}</span>
          <span className="faint small">{noteOf(name, total)}</span>
        </button>
      ))}
    </div>
  )
}

function noteOf(name: MetricName, total: Counters): string {
  return name === 'errors' ? `${formatPercent(errorRate(total))} of requests` : ''
}

function valueOf(name: MetricName, total: Counters): string {
  const { valueOf, format } = METRICS[name]
  const value = valueOf(total)
  return value === null ? '–' : format(value)
}
