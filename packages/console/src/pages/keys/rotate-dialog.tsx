import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { FormDialog } from '../../parts/dialog/form.tsx'
import { SelectField } from '../../parts/control/field.tsx'
import type { NewSecret } from './new-key-dialog.tsx'

const HOUR_MS = 3_600_000
const OVERLAPS = [
  [1, 'For 1 hour'],
  [24, 'For 1 day'],
  [7 * 24, 'For 7 days'],
  [30 * 24, 'For 30 days'],
  ['', 'Not at all: stop it now'],
] as const

interface RotateProps {
  apiKey: Schemas['Key']
  onClose: () => void
  onRotated: (secret: NewSecret) => void
}

/** A new secret for the same key: its name, limits and usage stay. */
export function RotateDialog({ apiKey, onClose, onRotated }: RotateProps) {
  const [hours, setHours] = useState('24')
  const { mutateAsync } = useChange(['keys'], async (own) => {
    const until = new Date(Date.now() + Number(hours) * HOUR_MS).toISOString()
    const body = hours === '' ? {} : { oldWorksUntil: until }
    return own.post('/keys/{key}/rotate', { key: apiKey.id, body })
  })
  return (
    <FormDialog
      title="Rotate"
      of={apiKey.name}
      about="The key gets a new secret. Its name, limits and usage stay the same."
      act={async () => onRotated(await mutateAsync())}
      action="Rotate key"
      onClose={onClose}
    >
      <SelectField
        label="Old secret keeps working"
        value={hours}
        hint={
          hours === ''
            ? 'Apps that use the old secret get a 401 from now on, and responses in progress stop.'
            : 'Both secrets work until then, so that you can switch your apps without downtime.'
        }
        onText={setHours}
        options={OVERLAPS}
      />
      {apiKey.previous && (
        <p className="text-soft">
          The secret before that, <code>…{apiKey.previous.hint}</code>, stops working now.
        </p>
      )}
    </FormDialog>
  )
}
