import { Link } from '@tanstack/react-router'
import { CircleCheck, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { api, send, type Shapes } from '../../../api/client.ts'
import { Form } from '../../../parts/dialog/form.tsx'
import { Button } from '../../../parts/control/button.tsx'
import { TextField } from '../../../parts/control/field.tsx'
import { Page } from '../../../parts/frame/page.tsx'
import { Empty } from '../../../parts/feedback/states.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import { useSession } from '../../../session/session.ts'
import { Asking } from './asking.tsx'
import '../devices.css'

type Stage =
  | { name: 'typing' }
  | { name: 'asking'; code: string; device: Shapes['AskingDevice'] }
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
        <Approved onAgain={startAgain} />
      )}
    </Page>
  )
}

function CodeForm({ onFound }: { onFound: (code: string, device: Shapes['AskingDevice']) => void }) {
  const { organization } = useSession()
  const [code, setCode] = useState('')
  const act = async () => {
    const params = { path: { organization: organization.id } }
    const body = { userCode: code }
    onFound(code, await send(api.POST('/organizations/{organization}/device-codes/look-up', { params, body })))
  }
  return (
    <Form className="card card-body stack approve" act={act} action="Continue" disabled={code.trim() === ''} isWide>
      <TextField
        label="Code"
        className="input code-input"
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

function Approved({ onAgain }: { onAgain: () => void }) {
  return (
    <Empty
      icon={CircleCheck}
      title="Device approved"
      action={
        <div className="row">
          <Link to="/devices" className="button button-primary">
            Go to Devices
          </Link>
          <Button onClick={onAgain}>Enter another code</Button>
        </div>
      }
    >
      The device connects within a few seconds and then appears in the list.
    </Empty>
  )
}
