import { CirclePause, CirclePlay, RotateCw } from 'lucide-react'
import type { Schemas } from '../../../api/client.ts'
import { formatBytes, formatSeconds } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Button } from '../../../parts/control/button.tsx'
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx'
import { DialogButton } from '../../../parts/dialog/dialog-button.tsx'
import { Meter } from '../../../parts/chart/meter.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { useSession } from '../../../session/session.ts'
import { useDownloads } from '../use-downloads.ts'

type Download = Schemas['ModelDownload']

const COLORS: Partial<Record<Download['state'], string>> = {
  paused: 'bg-calm-mark',
  waiting: 'bg-calm-mark',
  failed: 'bg-bad-solid',
}

/** The downloads of a model, one per device, wherever they were started. */
export function DownloadList({ downloads }: { downloads: readonly Download[] }) {
  const { isAdmin } = useSession()
  if (downloads.length === 0) return null
  return (
    <section className="stack-small">
      <h3>Downloads</h3>
      <ul className="entries">
        {downloads.map((download) => {
          const { device, name, model, doneBytes, totalBytes, state, askedBy, problem } = download
          return (
            <li key={device}>
              <span className="entry-head">
                <Name text={name} isStrong />
                {isAdmin && <DownloadActions download={download} />}
              </span>
              <span className="block py-1.5">
                <Meter
                  label={`${showOddCharacters(model)} on ${showOddCharacters(name)}`}
                  value={doneBytes}
                  most={totalBytes}
                  color={COLORS[state]}
                />
              </span>
              <span className="text-soft text-small tabular-nums">{describeProgress(download)}</span>
              {problem !== null && <p className="text-bad text-small">{problem}</p>}
              {askedBy !== null && (
                <span className="text-faint text-small">
                  Requested by <Name text={askedBy} />
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function DownloadActions({ download: { device, name, model, state, source } }: { download: Download }) {
  const { resume, pause, cancel, isBusy } = useDownloads()
  // Downloads that the owner started can't be steered from here.
  if (source === null) return null
  const about = `${showOddCharacters(model)} on ${showOddCharacters(name)}`
  return (
    <span className="row">
      {(state === 'downloading' || state === 'waiting') && (
        <Button
          size="small"
          icon={CirclePause}
          isBusy={isBusy}
          aria-label={`Pause ${about}`}
          onClick={() => pause(device, model)}
        >
          Pause
        </Button>
      )}
      {(state === 'paused' || state === 'failed') && (
        <Button
          size="small"
          icon={state === 'failed' ? RotateCw : CirclePlay}
          isBusy={isBusy}
          aria-label={`${state === 'failed' ? 'Try again' : 'Resume'} ${about}`}
          onClick={() => resume({ device, model, source })}
        >
          {state === 'failed' ? 'Try again' : 'Resume'}
        </Button>
      )}
      <DialogButton
        size="small"
        kind="quiet"
        aria-label={`Cancel ${about}`}
        renderDialog={(close) => (
          <ConfirmDialog
            title="Cancel this download?"
            action="Cancel download"
            onClose={close}
            act={async () => cancel(device, model)}
          >
            <p>
              <Name text={name} /> deletes what it has downloaded of <Name text={model} /> so far. To keep it, pause the
              download instead.
            </p>
          </ConfirmDialog>
        )}
      >
        Cancel
      </DialogButton>
    </span>
  )
}

/** "2.1 GB of 5.0 GB · 24.0 MB/s · 2 min left" */
function describeProgress(download: Pick<Download, 'doneBytes' | 'totalBytes' | 'state' | 'bytesPerSecond'>) {
  const { doneBytes, totalBytes, state, bytesPerSecond } = download
  const amount =
    totalBytes === null ? formatBytes(doneBytes) : `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`
  switch (state) {
    case 'waiting':
      return 'Waiting for another download on this device'
    case 'verifying':
      return `${formatBytes(doneBytes)} downloaded · verifying the checksum…`
    case 'paused':
      return `Paused · ${amount}`
    case 'failed':
      return `Stopped · ${amount}`
    case 'downloading':
      return [amount, ...speedAndTime(doneBytes, totalBytes, bytesPerSecond ?? 0)].join(' · ')
    default:
      return state satisfies never
  }
}

function speedAndTime(doneBytes: number, totalBytes: number | null, bytesPerSecond: number): string[] {
  if (bytesPerSecond === 0) return ['connecting…']
  const speed = `${formatBytes(bytesPerSecond)}/s`
  if (totalBytes === null) return [speed]
  return [speed, `${formatSeconds((totalBytes - doneBytes) / bytesPerSecond)} left`]
}
