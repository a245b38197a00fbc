import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { devices as devicesQuery } from '../../../api/queries/devices.ts'
import { formatBytes, plural } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Meter } from '../../../parts/chart/meter.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { useSession } from '../../../session/session.ts'

type Device = Shapes['Device']
type Download = Device['downloads'][number]

/** Reports devices that join while the dialog is open, from the first contact to the model they serve. */
export function Joined({ isWaiting }: { isWaiting: boolean }) {
  const { organization } = useSession()
  const { data } = useQuery(devicesQuery(organization.id))
  const [before, setBefore] = useState<ReadonlySet<string>>()
  if (data && !before) setBefore(new Set(data.map(({ id }) => id)))
  const joined = data?.filter(({ id }) => before && !before.has(id)) ?? []
  return (
    <div className="stack-small" role="status">
      {joined.length === 0 && isWaiting && (
        <p className="joined soft">
          <CircleDashed size={18} aria-hidden className="joined-wait" />
          <span>Waiting for the device. It appears here as soon as it connects.</span>
        </p>
      )}
      {joined.map((device) => (
        <JoinedDevice key={device.id} device={device} />
      ))}
    </div>
  )
}

function JoinedDevice({ device }: { device: Device }) {
  const { name, state, downloads } = device
  return (
    <div className="joined joined-now">
      <CircleCheck size={18} aria-hidden />
      <div className="stack-small joined-text">
        <p>
          <Name text={name} isStrong />{' '}
          {state === 'offline' ? 'has joined. Start the device app to bring it online.' : describeServing(device)}
        </p>
        {downloads.map((download) => (
          <JoinedDownload key={download.model} download={download} />
        ))}
      </div>
    </div>
  )
}

function JoinedDownload({ download: { model, state, doneBytes, totalBytes, problem } }: { download: Download }) {
  if (state === 'failed')
    return (
      <p className="device-download-failed small">
        Download of <Name text={model} /> failed. {problem}
      </p>
    )
  return (
    <div className="stack-small small">
      <span>
        Downloading <Name text={model} />: {formatBytes(doneBytes)}
        {totalBytes !== null && ` of ${formatBytes(totalBytes)}`}
      </span>
      <Meter label={`Downloading ${showOddCharacters(model)}`} value={doneBytes} most={totalBytes} />
    </div>
  )
}

function describeServing({ models, downloads }: Device): string {
  const [first] = models
  if (first === undefined) return downloads.length > 0 ? 'is connected.' : 'is connected. It has no model yet.'
  const others = models.length > 1 ? ` and ${plural(models.length - 1, 'other model')}` : ''
  return `is connected and serves ${showOddCharacters(first.name)}${others}.`
}
