import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, send } from '../api/client.ts'
import { organizationSettings } from '../api/queries/organization.ts'
import { useSubmit } from '../lib/use-submit.ts'
import { Button } from '../parts/control/button.tsx'
import { Dialog, DialogActions } from '../parts/dialog/dialog.tsx'
import { CheckField } from '../parts/control/field.tsx'
import { Loaded, Problem, Waiting } from '../parts/feedback/states.tsx'
import { showToast } from '../parts/feedback/toasts.tsx'
import { useSession } from './session.ts'
import { useChange } from './use-change.ts'

export function OrganizationSettingsDialog({ onClose }: { onClose: () => void }) {
  const { organization } = useSession()
  const query = useQuery(organizationSettings(organization.id))
  return (
    <Dialog title="Organization settings" onClose={onClose}>
      <Loaded query={query} waiting={<Waiting lines={2} />}>
        {({ separatesPrefixes }) => <SettingsForm separatesPrefixes={separatesPrefixes} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

interface SettingsFormProps {
  separatesPrefixes: boolean
  onClose: () => void
}

function SettingsForm({ separatesPrefixes: before, onClose }: SettingsFormProps) {
  const [separatesPrefixes, setSeparatesPrefixes] = useState(before)
  const { mutateAsync } = useChange(['organization'], async (path) =>
    send(api.PATCH('/organizations/{organization}', { params: { path }, body: { separatesPrefixes } })),
  )
  const { submit, isBusy, failure } = useSubmit(async () => {
    await mutateAsync()
    showToast('Settings saved')
    onClose()
  })
  return (
    <form className="stack" onSubmit={submit}>
      <CheckField
        label="Separate prefix reuse by key"
        hint="Devices reuse only prompts of the same API key, so response times reveal nothing about the prompts of others. Local servers and outdated devices can't do this and get no requests."
        checked={separatesPrefixes}
        onChange={(event) => setSeparatesPrefixes(event.target.checked)}
      />
      {failure !== undefined && <Problem error={failure} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          Save
        </Button>
      </DialogActions>
    </form>
  )
}
