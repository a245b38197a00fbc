import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { useChange } from '../../../session/use-change.ts'
import { Form } from '../../../parts/dialog/form.tsx'
import { Button } from '../../../parts/control/button.tsx'
import { Code } from '../../../parts/code/copy-button.tsx'
import { Dialog, DialogActions } from '../../../parts/dialog/dialog.tsx'
import { LocalOnly } from '../../../session/local-only.tsx'
import { useRead } from '../../../session/use-read.ts'
import { InstallCommand } from './install-command.tsx'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { formatBytes, plural } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Meter } from '../../../parts/chart/meter.tsx'
import { Name } from '../../../parts/text/name.tsx'

/** Two ways to add a device: paste a command with a token, or approve a code that the device shows. */
export function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const { data: overview } = useRead('/overview')
  const [command, setCommand] = useState<string>()
  const { mutateAsync } = useChange(['devices'], async (own) => own.post('/enrolments'))
  const act = async () => setCommand((await mutateAsync()).command)
  return (
    <Dialog shape="wide" title="Add a device" about="The machine needs Node.js, which includes npm." onClose={onClose}>
      <LocalOnly />
      <section className="grid gap-7.5">
        <h3>Run an install command</h3>
        {command === undefined ? (
          <Form act={act} action="Create command">
            <p className="text-soft">
              Use this if you can open a terminal on the machine. The command contains a token that works once, within
              an hour.
            </p>
          </Form>
        ) : (
          <InstallCommand command={command} />
        )}
      </section>
      {command === undefined && (
        <section className="grid gap-7.5 pt-12.5 border-t border-line">
          <h3>Approve a code</h3>
          <p className="text-soft">
            Use this if someone else sets up the machine. They run this command, it shows a code, and you approve the
            code here.
          </p>
          {overview && <Code text={overview.installCommand} label="Command to get a code" />}
          <div>
            <Link to="/devices/approve" className="button" onClick={onClose}>
              Enter code
            </Link>
          </div>
        </section>
      )}
      <Joined isWaiting={command !== undefined} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

type Device = Schemas['Device']

/** Reports devices that join while the dialog is open, from the first contact to the model they serve. */
function Joined({ isWaiting }: { isWaiting: boolean }) {
  const { data } = useRead('/devices')
  const [before, setBefore] = useState<ReadonlySet<string>>()
  if (data && !before) setBefore(new Set(data.devices.map(({ id }) => id)))
  const joined = data?.devices.filter(({ id }) => before && !before.has(id)) ?? []
  return (
    <div className="stack-small" role="status">
      {joined.length === 0 && isWaiting && (
        <p className="text-soft flex items-start gap-6 bg-sunken rounded px-9 py-7">
          <CircleDashed size={18} aria-hidden className="motion-safe:animate-turn [animation-duration:3s]" />
          <span>Waiting for the device. It appears here as soon as it connects.</span>
        </p>
      )}
      {joined.map((device) => (
        <div key={device.id} className="flex items-start gap-6 rounded text-good bg-good-soft px-9 py-7">
          <CircleCheck size={18} aria-hidden />
          <div className="stack-small flex-1">
            <p>
              <Name text={device.name} isStrong /> {describeJoined(device)}
            </p>
            {device.downloads.map((download) => (
              <JoinedDownload key={download.model} {...download} />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

function JoinedDownload({ model, state, doneBytes, totalBytes, problem }: Device['downloads'][number]) {
  if (state === 'failed')
    return (
      <p className="text-bad text-small">
        Download of <Name text={model} /> failed. {problem}
      </p>
    )
  return (
    <div className="stack-small text-small">
      <span>
        Downloading <Name text={model} />: {formatBytes(doneBytes)}
        {totalBytes !== null && ` of ${formatBytes(totalBytes)}`}
      </span>
      <Meter label={`Downloading ${showOddCharacters(model)}`} value={doneBytes} most={totalBytes} />
    </div>
  )
}

function describeJoined({ state, models, downloads }: Device): string {
  const [first] = models
  if (state === 'offline') return 'has joined. Start the device app to bring it online.'
  if (first === undefined) return downloads.length > 0 ? 'is connected.' : 'is connected. It has no model yet.'
  const others = models.length > 1 ? ` and ${plural(models.length - 1, 'other model')}` : ''
  return `is connected and serves ${showOddCharacters(first.name)}${others}.`
}
