import type { Shapes } from '../../api/client.ts'
import { plural } from '../../lib/format.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Meter } from '../../parts/chart/meter.tsx'
import { Name } from '../../parts/text/name.tsx'
import './devices.css'

type Download = Shapes['Device']['downloads'][number]

/** A table cell: the name of a single model or the number of models, and one download. One that failed comes first. */
export function DeviceModels({ device: { models, downloads } }: { device: Shapes['Device'] }) {
  const [first] = models
  const download = downloads.find(({ state }) => state === 'failed') ?? downloads[0]
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
      {download && <DownloadCell download={download} />}
    </span>
  )
}

/** The model's own name, because the name above is that of a model the device serves. */
function DownloadCell({ download: { model, state, doneBytes, totalBytes, problem } }: { download: Download }) {
  if (state === 'failed')
    return (
      <span className="device-download device-download-failed small" title={problem ?? undefined}>
        Download of <Name text={model} /> failed
      </span>
    )
  return (
    <span className="device-download small soft">
      <span>
        Downloading <Name text={model} />
      </span>
      <Meter label={`Downloading ${showOddCharacters(model)}`} value={doneBytes} most={totalBytes} />
    </span>
  )
}
