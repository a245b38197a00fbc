import type { Shapes } from '../../api/client.ts'
import { plural } from '../../lib/format.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Meter } from '../../parts/meter.tsx'
import { Name } from '../../parts/name.tsx'
import './devices.css'

/** In a cell: the only model by its name, several by their number; what is being fetched as a bar. */
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
            label={`Fetching ${showOddCharacters(download.model)}`}
            value={download.doneBytes}
            most={download.totalBytes}
          />
        </span>
      )}
    </span>
  )
}
