import { useState } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { Form } from '../../../parts/dialog/form.tsx'
import { Code } from '../../../parts/code/copy-button.tsx'
import { Button } from '../../../parts/control/button.tsx'
import { Fingerprint } from '../../../parts/text/fingerprint.tsx'
import { useSession } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx'
import { TextField } from '../../../parts/control/field.tsx'

type Sealing = Shapes['Sealing']

/** The organization's seal, or the field for the first one. */
export function SealCard({ sealing: { seal } }: { sealing: Sealing }) {
  return (
    <section className="card card-body stack">
      <h3>Seal</h3>
      {seal === null ? <FirstSeal /> : <Seal seal={seal} />}
    </section>
  )
}

function Seal({ seal: { text, fingerprint } }: { seal: NonNullable<Sealing['seal']> }) {
  const { isAdmin } = useSession()
  const [isReplacing, setReplacing] = useState(false)
  return (
    <>
      <Code text={text} label="Seal" />
      <div className="stack-small">
        <Fingerprint fingerprint={fingerprint} />
        <p className="text-soft text-small">
          Compare these words with the person who made the seal before you use it, not only with this page: a dishonest
          gateway could show another seal.
        </p>
      </div>
      {isAdmin && (
        <div>
          <Button onClick={() => setReplacing(true)}>Replace…</Button>
        </div>
      )}
      {isReplacing && <ReplaceSealDialog onClose={() => setReplacing(false)} />}
    </>
  )
}

function FirstSeal() {
  const [seal, setSeal] = useState('')
  const { mutateAsync } = useChange(['organization'], async (own) =>
    own.patch('/sealing', { body: { seal: seal.trim() } }),
  )
  return (
    <Form act={mutateAsync} action="Save seal" done="Seal saved" disabled={seal.trim() === ''}>
      <SealField value={seal} onChange={setSeal} />
    </Form>
  )
}

function ReplaceSealDialog({ onClose }: { onClose: () => void }) {
  const { organization } = useSession()
  const [seal, setSeal] = useState('')
  const { mutateAsync } = useChange(['organization'], async (own) =>
    own.patch('/sealing', { body: { seal: seal.trim(), name: organization.name } }),
  )
  return (
    <ConfirmDialog
      title="Replace the seal"
      action="Replace seal"
      typed={organization.name}
      onClose={onClose}
      onConfirm={mutateAsync}
      done="Seal replaced"
    >
      <p>
        Every device and administrator has to be approved again with the new seal. Clients that know the old seal reject
        everything until you give them the new one.
      </p>
      <SealField label="New seal" value={seal} onChange={setSeal} />
    </ConfirmDialog>
  )
}

interface SealFieldProps {
  label?: string
  value: string
  onChange: (seal: string) => void
}

/** A field to paste a seal into. The gateway checks it, and notices typos. */
function SealField({ label = 'Your seal', value, onChange }: SealFieldProps) {
  return (
    <TextField
      label={label}
      placeholder="hs-…"
      hint="Paste the line that hearth-seal init printed. It is the public half: the secret one stays on your computer."
      required
      autoComplete="off"
      spellCheck={false}
      maxLength={256}
      value={value}
      onText={onChange}
    />
  )
}
