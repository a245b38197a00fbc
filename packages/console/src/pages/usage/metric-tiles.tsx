import { errorShare, formatShare, METRICS, type Counters, type MetricName } from './metrics.ts'

interface MetricTilesProps {
  total: Counters
  metric: MetricName
  onChoose: (metric: MetricName) => void
}

/** The sums of the whole range. The pressed one is what the chart shows. */
export function MetricTiles({ total, metric, onChoose }: MetricTilesProps) {
  return (
    <div className="tiles" role="group" aria-label="What the chart shows">
      {(Object.keys(METRICS) as MetricName[]).map((name) => (
        <button
          key={name}
          type="button"
          className="tile card"
          aria-pressed={name === metric}
          onClick={() => onChoose(name)}
        >
          <span className="soft small">{METRICS[name].title}</span>
          <span className="tile-value numbers">{valueOf(name, total)}</span>
          <span className="faint small">
            {name === 'errors' ? `${formatShare(errorShare(total))} of requests` : ''}
          </span>
        </button>
      ))}
    </div>
  )
}

function valueOf(name: MetricName, total: Counters): string {
  const { valueOf, format } = METRICS[name]
  const value = valueOf(total)
  return value === null ? '–' : format(value)
}
