import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { api, send } from '../../api/client.ts'
import { devices as devicesQuery, overview as overviewQuery, useChange } from '../../api/queries.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { LocalOnly } from '../../session/local-only.tsx'
import { Name } from '../../parts/name.tsx'
import { Problem } from '../../parts/states.tsx'
import { useSession } from '../../session/session.ts'
import './devices.css'

/** Two ways to add a device: paste a command with a token, or approve a code that the device shows. */
export function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const { organization } = useSession()
  const [command, setCommand] = useState<string>()
  const { mutateAsync } = useChange(organization.id, ['devices'], async () => {
    const params = { path: { organization: organization.id } }
    return send(api.POST('/organizations/{organization}/enrolments', { params }))
  })
  const { submit, isBusy, failure } = useSubmit(async () => setCommand((await mutateAsync(undefined)).command))
  return (
    <Dialog shape="wide" title="Add a device" about="The machine needs Node.js and npm." onClose={onClose}>
      <LocalOnly />
      <section className="way">
        <h3>Run an install command</h3>
        {command === undefined ? (
          <form className="stack" onSubmit={submit}>
            <p className="soft">
              Use this if you can open a terminal on the machine. The command contains a token that works once, within
              an hour.
            </p>
            {failure !== undefined && <Problem error={failure} />}
            <div>
              <Button type="submit" kind="primary" isBusy={isBusy}>
                Create command
              </Button>
            </div>
          </form>
        ) : (
          <Command command={command} />
        )}
      </section>
      {command === undefined && <CodeWay onClose={onClose} />}
      <Joined />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

function Command({ command }: { command: string }) {
  const [isService, setService] = useState(false)
  return (
    <div className="stack-small">
      <p>
        Run this on the machine. It installs the device app, connects it to this organization and downloads a small
        model to start with.
      </p>
      <label className="row">
        <input type="checkbox" checked={isService} onChange={(event) => setService(event.target.checked)} />
        Keep it running in the background, also after a restart
      </label>
      <Code text={isService ? `${command} --service` : command} label="Install command" />
      <p className="soft small">This command is shown only once. Anyone who has it can add one device.</p>
    </div>
  )
}

function CodeWay({ onClose }: { onClose: () => void }) {
  const { organization } = useSession()
  const { data } = useQuery(overviewQuery(organization.id))
  return (
    <section className="way">
      <h3>Approve a code</h3>
      <p className="soft">
        Use this if someone else sets up the machine. They run this command, it shows a code, and you approve the code
        here.
      </p>
      {data && <Code text={data.installCommand} label="Command to get a code" />}
      <div>
        <Link to="/devices/approve" className="button" onClick={onClose}>
          Enter code
        </Link>
      </div>
    </section>
  )
}

/** Reports devices that joined after the dialog opened. */
function Joined() {
  const { organization } = useSession()
  const { data } = useQuery(devicesQuery(organization.id))
  const [before, setBefore] = useState<ReadonlySet<string>>()
  if (data && !before) setBefore(new Set(data.map(({ id }) => id)))
  const joined = data?.filter(({ id }) => before && !before.has(id)) ?? []
  return (
    <div role="status">
      {joined.map(({ id, name, state }) => (
        <p key={id} className="joined joined-now">
          <CircleCheck size={18} aria-hidden />
          <span>
            <Name text={name} isStrong />{' '}
            {state === 'offline' ? 'has joined. Start the device app to bring it online.' : 'is online.'}
          </span>
        </p>
      ))}
    </div>
  )
}
