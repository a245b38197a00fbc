import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, send } from '../../../api/client.ts'
import { useChange } from '../../../session/use-change.ts'
import { overview as overviewQuery } from '../../../api/queries/organization.ts'
import { useSubmit } from '../../../lib/use-submit.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Code } from '../../../parts/code/copy-button.tsx'
import { Dialog, DialogActions } from '../../../parts/dialog/dialog.tsx'
import { LocalOnly } from '../../../session/local-only.tsx'
import { Problem } from '../../../parts/feedback/states.tsx'
import { useSession } from '../../../session/session.ts'
import { InstallCommand } from './install-command.tsx'
import { Joined } from './joined.tsx'
import '../devices.css'

/** Two ways to add a device: paste a command with a token, or approve a code that the device shows. */
export function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const [command, setCommand] = useState<string>()
  const { mutateAsync } = useChange(['devices'], async (path) =>
    send(api.POST('/organizations/{organization}/enrolments', { params: { path } })),
  )
  const { submit, isBusy, failure } = useSubmit(async () => setCommand((await mutateAsync()).command))
  return (
    <Dialog shape="wide" title="Add a device" about="The machine needs Node.js, which includes npm." onClose={onClose}>
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
          <InstallCommand command={command} />
        )}
      </section>
      {command === undefined && <CodeWay onClose={onClose} />}
      <Joined isWaiting={command !== undefined} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
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
