import type { Shapes } from '../../api/client.ts'
import { plural } from '../../lib/format.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Meter } from '../../parts/chart/meter.tsx'
import { Name } from '../../parts/text/name.tsx'
import './devices.css'

/** A table cell: the name of a single model or the number of models, and a bar for a download. */
export function DeviceModels({ device: { models, downloads } }: { device: Shapes['Device'] }) {
  const [first] = models
  const download = downloads[0]
  return (
    <span className="device-models">
      {models.length === 0 ? (
        <span className="faint">–</span>
      ) : models.length === 1 && first ? (
        <Name text={first.name} isCut />
      ) : (
        <span title={models.map(({ name }) => showOddCharacters(name)).join('\n')}>
          {plural(models.length, 'model')}
        </span>
      )}
      {download && (
        <span className="device-download">
          <Meter
            label={`Downloading ${showOddCharacters(download.model)}`}
            value={download.doneBytes}
            most={download.totalBytes}
          />
        </span>
      )}
    </span>
  )
}
