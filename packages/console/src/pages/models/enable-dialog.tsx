import { useState } from 'react'
import { api, send, type Shapes } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { plural } from '../../lib/format.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Name } from '../../parts/name.tsx'
import { Problem } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'
import { useModelState } from './use-model-state.ts'
import './models.css'

/** Beyond this, the list behind the dialog is the better place to look. */
const MOST_OFFERS = 8

export function EnableDialog({ models, onClose }: { models: readonly Shapes['Model'][]; onClose: () => void }) {
  const { enable } = useModelState()
  const offered = models.filter(({ state }) => state === 'offered')
  return (
    <Dialog title="Enable a model" about="Enabled models accept requests through the API." onClose={onClose}>
      {offered.length > 0 && (
        <section className="stack-small">
          <h3>Available on your devices</h3>
          <ul className="offers">
            {offered.slice(0, MOST_OFFERS).map(({ name, devices }) => (
              <li key={name}>
                <Name text={name} isCut />
                <span className="soft small">{plural(devices.length, 'device')}</span>
                <Button size="small" onClick={() => enable(name)} aria-label={`Enable ${showOddCharacters(name)}`}>
                  Enable
                </Button>
              </li>
            ))}
          </ul>
          {offered.length > MOST_OFFERS && (
            <p className="soft small">{plural(offered.length - MOST_OFFERS, 'more model')} on the Models page.</p>
          )}
        </section>
      )}
      <ByName models={models} onClose={onClose} hasOffers={offered.length > 0} />
    </Dialog>
  )
}

interface ByNameProps {
  models: readonly Shapes['Model'][]
  hasOffers: boolean
  onClose: () => void
}

function ByName({ models, hasOffers, onClose }: ByNameProps) {
  const { organization } = useSession()
  const [name, setName] = useState('')
  const { mutateAsync } = useChange(organization.id, ['models'], async () => {
    const params = { path: { organization: organization.id } }
    await send(
      api.PUT('/organizations/{organization}/models', { params, body: { name: name.trim(), state: 'enabled' } }),
    )
  })
  const { submit, isBusy, failure } = useSubmit(async () => {
    await mutateAsync(undefined)
    showToast(`${name.trim()} is enabled`)
    onClose()
  })
  const known = models.find((model) => model.name === name.trim())
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label={hasOffers ? 'Or enter a name' : 'Name'}
        required
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        placeholder="qwen3:8b"
        hint={
          known?.state === 'enabled'
            ? 'This model is already enabled.'
            : 'Use the exact name that devices use. Requests wait until a device serves the model.'
        }
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {failure !== undefined && <Problem error={failure} />}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" kind="primary" isBusy={isBusy} disabled={name.trim() === ''}>
          Enable
        </Button>
      </DialogActions>
    </form>
  )
}
