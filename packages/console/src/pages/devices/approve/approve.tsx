import { Link } from '@tanstack/react-router'
import { CircleCheck, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { organizationApi } from '../../../api/organization-api.ts'
import { Form } from '../../../parts/dialog/form.tsx'
import { Button } from '../../../parts/control/button.tsx'
import { TextField } from '../../../parts/control/field.tsx'
import { Page } from '../../../parts/frame/page.tsx'
import { Advice } from '../../../parts/feedback/note.tsx'
import { Empty, Problem } from '../../../parts/feedback/states.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import { useSession } from '../../../session/session.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { useSubmit } from '../../../lib/use-submit.ts'
import { Facts } from '../../../parts/text/facts.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { useChange } from '../../../session/use-change.ts'
import { machineFacts } from '../machine-facts.tsx'

type Stage =
  | { name: 'typing' }
  | { name: 'asking'; code: string; device: Schemas['AskingDevice'] }
  | { name: 'approved' }

/** For a device that shows a code. You type the code, and it is never taken from a link: an attacker could send you a link. */
export function ApprovePage() {
  const { isAdmin } = useSession()
  const [stage, setStage] = useState<Stage>({ name: 'typing' })
  const startAgain = () => setStage({ name: 'typing' })
  return (
    <Page title="Approve a device" about="Enter the eight-letter code that the device shows.">
      {!isAdmin ? (
        <Empty icon={ShieldAlert} title="Only admins can approve devices">
          Ask an owner or admin of your organization to enter the code.
        </Empty>
      ) : stage.name === 'typing' ? (
        <CodeForm onFound={(code, device) => setStage({ name: 'asking', code, device })} />
      ) : stage.name === 'asking' ? (
        <Asking
          code={stage.code}
          device={stage.device}
          onApproved={() => setStage({ name: 'approved' })}
          onDenied={() => {
            showToast('Device rejected')
            startAgain()
          }}
        />
      ) : (
        <Empty
          icon={CircleCheck}
          title="Device approved"
          action={
            <div className="row">
              <Link to="/devices" className="button button-primary">
                Go to Devices
              </Link>
              <Button onClick={startAgain}>Enter another code</Button>
            </div>
          }
        >
          The device connects within a few seconds and then appears in the list.
        </Empty>
      )}
    </Page>
  )
}

function CodeForm({ onFound }: { onFound: (code: string, device: Schemas['AskingDevice']) => void }) {
  const { organization } = useSession()
  const [code, setCode] = useState('')
  const act = async () => {
    const body = { userCode: code }
    onFound(code, await organizationApi(organization.id).post('/device-codes/look-up', { body }))
  }
  return (
    <Form className="card card-body stack narrow" act={act} action="Continue" disabled={code.trim() === ''} isWide>
      <TextField
        label="Code"
        className="input [font:600_1.5rem_var(--font-mono)] tracking-[0.12em] text-center uppercase"
        required
        maxLength={12}
        autoFocus
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        placeholder="XXXX-XXXX"
        value={code}
        onText={setCode}
      />
    </Form>
  )
}

interface AskingProps {
  code: string
  device: Schemas['AskingDevice']
  onApproved: () => void
  onDenied: () => void
}

/** Shows which device is asking to join, so that no one approves a stranger. */
function Asking({ code, device, onApproved, onDenied }: AskingProps) {
  const { organization } = useSession()
  const [name, setName] = useState('')
  const approving = useChange(['devices'], async (own) =>
    own.post('/device-codes/approve', { body: { userCode: code, ...(name.trim() !== '' && { name: name.trim() }) } }),
  )
  const denying = useChange([], async (own) => own.post('/device-codes/deny', { body: { userCode: code } }))
  const approve = useSubmit(async () => approving.mutateAsync().then(onApproved))
  const deny = useSubmit(async () => denying.mutateAsync().then(onDenied))
  const failure = approve.failure ?? deny.failure
  return (
    <form className="card card-body stack narrow" onSubmit={approve.submit}>
      <h2>
        Let <Name text={device.name} /> join <Name text={organization.name} />?
      </h2>
      <Facts
        facts={[
          ['Name', <Name key="name" text={device.name} />],
          ...(device.machine === null
            ? [['System', <Name key="system" text={device.system} />] as const]
            : machineFacts(device.machine)),
          ['App version', <Name key="app" text={device.app} />],
          ['IP address', <Name key="address" text={device.address} />],
          ['Requested', <RelativeTime key="since" at={device.askedAt} />],
        ]}
      />
      <Advice icon={ShieldAlert}>
        <p>
          The device reports these details itself, and they are not verified. Approve it only if you or someone you know
          started it. An approved device sees the prompts it works on.
        </p>
      </Advice>
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
