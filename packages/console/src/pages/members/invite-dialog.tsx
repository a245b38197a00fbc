import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { Form } from '../../parts/dialog/form.tsx'
import { Button } from '../../parts/control/button.tsx'
import { Choices } from '../../parts/control/choices.tsx'
import { Code } from '../../parts/code/copy-button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog/dialog.tsx'
import { TextField } from '../../parts/control/field.tsx'
import { LocalOnly } from '../../session/local-only.tsx'
import { useRead } from '../../session/use-read.ts'
import { ROLES } from './member-columns.tsx'

type Role = Schemas['Role']

export function InviteDialog({ roles, onClose }: { roles: readonly Role[]; onClose: () => void }) {
  const [link, setLink] = useState<string>()
  const [role, setRole] = useState<Role>('member')
  const [email, setEmail] = useState('')
  const { mutateAsync } = useChange(['members'], async (own) =>
    own.post('/invitations', { body: { role, ...(email.trim() !== '' && { email: email.trim() }) } }),
  )
  // Known by the time the link is shown, so that its warning doesn't move the button under the mouse.
  useRead('/overview')
  return (
    <Dialog
      title="Invite someone"
      about={
        link === undefined
          ? 'Create a link to send. It works once and expires in seven days.'
          : 'Send this link to the person you invite. It is shown only once, and works for the first person who uses it.'
      }
      onClose={onClose}
    >
      {link === undefined ? (
        <Form act={async () => setLink((await mutateAsync()).link)} action="Create link" onClose={onClose}>
          <Choices
            legend="Role"
            value={role}
            onChange={setRole}
            choices={roles.toReversed().map((one) => [one, ROLES[one]])}
          />
          <TextField
            label="Email"
            type="email"
            required={false}
            hint="If set, only this person can use the link. Hearth doesn't send emails."
            value={email}
            onText={setEmail}
          />
        </Form>
      ) : (
        <>
          <LocalOnly />
          <Code text={link} label="Invitation link" />
          <DialogActions>
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
