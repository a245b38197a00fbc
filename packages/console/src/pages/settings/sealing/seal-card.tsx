import { useState, type ComponentProps } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Form } from '../../../parts/dialog/form.tsx'
import { Code } from '../../../parts/code/copy-button.tsx'
import { Fingerprint } from '../../../parts/text/fingerprint.tsx'
import { useSession } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { DialogButton } from '../../../parts/dialog/dialog-button.tsx'
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx'
import { TextField } from '../../../parts/control/field.tsx'

/** The organization's seal, or the field for the first one. */
export function SealCard({ sealing: { seal } }: { sealing: Schemas['Sealing'] }) {
  const { isAdmin } = useSession()
  return (
    <section className="card card-body stack">
      <h3>Seal</h3>
      {seal === null ? (
        <FirstSeal />
      ) : (
        <>
          <Code text={seal.text} label="Seal" />
          <div className="stack-small">
            <Fingerprint fingerprint={seal.fingerprint} />
            <p className="text-soft text-small">
              Compare these words with the person who made the seal before you use it, not only with this page: a
              dishonest gateway could show another seal.
            </p>
          </div>
          {isAdmin && (
            <div>
              <DialogButton renderDialog={(close) => <ReplaceSealDialog onClose={close} />}>Replace…</DialogButton>
            </div>
          )}
        </>
      )}
    </section>
  )
}

function FirstSeal() {
  const [seal, setSeal] = useState('')
  const { mutateAsync } = useChange(['organization'], async (own) =>
    own.patch('/sealing', { body: { seal: seal.trim() } }),
  )
  return (
    <Form act={mutateAsync} action="Save seal" done="Seal saved" disabled={seal.trim() === ''}>
      <SealField label="Your seal" value={seal} onText={setSeal} />
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
      act={mutateAsync}
      done="Seal replaced"
    >
      <p>
        Every device and administrator has to be approved again with the new seal. Clients that know the old seal reject
        everything until you give them the new one.
      </p>
      <SealField label="New seal" value={seal} onText={setSeal} />
    </ConfirmDialog>
  )
}

/** A field to paste a seal into. The gateway checks it, and notices typos. */
function SealField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      placeholder="hs-…"
      hint="Paste the line that hearth-seal init printed. It is the public half: the secret one stays on your computer."
      required
      autoComplete="off"
      spellCheck={false}
      maxLength={256}
      {...props}
    />
  )
}
