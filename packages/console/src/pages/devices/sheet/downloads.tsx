import { Link } from '@tanstack/react-router'
import type { Shapes } from '../../../api/client.ts'
import { formatBytes } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Meter } from '../../../parts/chart/meter.tsx'
import { Name } from '../../../parts/text/name.tsx'
import '../../../parts/text/entries.css'
import '../devices.css'

/** Models that are on their way to the device. */
export function Downloads({ device: { downloads } }: { device: Shapes['Device'] }) {
  if (downloads.length === 0) return null
  return (
    <section className="stack-small">
      <h3>Downloads</h3>
      {downloads.map(({ model, state, doneBytes, totalBytes, problem }) => (
        <div key={model} className="stack-small">
          <span className="entry-head">
            <Name text={model} isCut />
            <span className="soft numbers">
              {state === 'failed' && 'Failed at '}
              {formatBytes(doneBytes)}
              {totalBytes !== null && ` of ${formatBytes(totalBytes)}`}
            </span>
          </span>
          {state !== 'failed' && (
            <Meter label={`Downloading ${showOddCharacters(model)}`} value={doneBytes} most={totalBytes} />
          )}
          {problem !== null && <p className="device-download-failed small">{problem}</p>}
          {state === 'failed' && (
            <Link to="/models" search={{ open: model }} className="small">
              Try again or cancel on the Models page
            </Link>
          )}
        </div>
      ))}
    </section>
  )
}
