import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { api, send, type Shapes } from '../../../api/client.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { useSubmit } from '../../../lib/use-submit.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Facts } from '../../../parts/text/facts.tsx'
import { TextField } from '../../../parts/control/field.tsx'
import { Moment } from '../../../parts/text/moment.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { Problem } from '../../../parts/feedback/states.tsx'
import { useSession } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { machineFacts } from '../machine-facts.tsx'

interface AskingProps {
  code: string
  device: Shapes['AskingDevice']
  onApproved: () => void
  onDenied: () => void
}

/** Shows which device is asking to join, so that no one approves a stranger. */
export function Asking(props: AskingProps) {
  const { device } = props
  const { organization } = useSession()
  const [name, setName] = useState('')
  const { approve, deny } = useDecision(props, name.trim())
  const failure = approve.failure ?? deny.failure
  return (
    <form className="card card-body stack approve" onSubmit={approve.submit}>
      <h2>
        Let <Name text={device.name} /> join <Name text={organization.name} />?
      </h2>
      <Claims device={device} />
      <TextField
        label="Display name"
        required={false}
        maxLength={128}
        placeholder={showOddCharacters(device.name)}
        value={name}
        onText={setName}
      />
      {failure !== undefined && <Problem error={failure} />}
      <div className="row">
        <Button type="submit" kind="primary" isBusy={approve.isBusy}>
          Approve
        </Button>
        <Button isBusy={deny.isBusy} onClick={(event) => deny.submit(event)}>
          Reject
        </Button>
      </div>
    </form>
  )
}

function useDecision({ code, onApproved, onDenied }: AskingProps, name: string) {
  const approving = useChange(['devices'], async (path) => {
    const body = { userCode: code, ...(name !== '' && { name }) }
    await send(api.POST('/organizations/{organization}/device-codes/approve', { params: { path }, body }))
  })
  const denying = useChange([], async (path) => {
    const body = { userCode: code }
    await send(api.POST('/organizations/{organization}/device-codes/deny', { params: { path }, body }))
  })
  const approve = useSubmit(async () => {
    await approving.mutateAsync()
    onApproved()
  })
  const deny = useSubmit(async () => {
    await denying.mutateAsync()
    onDenied()
  })
  return { approve, deny }
}

function Claims({ device }: { device: Shapes['AskingDevice'] }) {
  return (
    <>
      <Facts
        facts={[
          ['Name', <Name key="name" text={device.name} />],
          ...(device.machine === null
            ? [['System', <Name key="system" text={device.system} />] as const]
            : machineFacts(device.machine)),
          ['App version', <Name key="app" text={device.app} />],
          ['IP address', <Name key="address" text={device.address} />],
          ['Requested', <Moment key="since" at={device.askedAt} />],
        ]}
      />
      <div className="advice">
        <ShieldAlert size={18} aria-hidden />
        <p>
          The device reports these details itself, and they are not verified. Approve it only if you or someone you know
          started it. An approved device sees the prompts it works on.
        </p>
      </div>
    </>
  )
}
