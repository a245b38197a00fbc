import { useState } from 'react'
import { api, send, type Shapes } from '../../api/client.ts'
import { readAgain } from '../../api/queries.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { TextArea, TextField } from '../../parts/field.tsx'
import { Name } from '../../parts/name.tsx'
import { Problem } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'
import './defaults-dialog.css'

type Defaults = Shapes['ModelDefaults']
type NumberField = Exclude<keyof Defaults, 'systemMessage' | 'chatTemplate'>

export const NUMBER_FIELDS: readonly { field: NumberField; label: string; min: number; max?: number }[] = [
  { field: 'temperature', label: 'Temperature', min: 0, max: 2 },
  { field: 'topP', label: 'Top P', min: 0, max: 1 },
  { field: 'maxTokens', label: 'Max tokens', min: 1 },
  { field: 'frequencyPenalty', label: 'Frequency penalty', min: -2, max: 2 },
  { field: 'presencePenalty', label: 'Presence penalty', min: -2, max: 2 },
]

interface DefaultsDialogProps {
  model: string
  own: Defaults
  recommended: Defaults
  onClose: () => void
}

/** Empty fields keep what the model's authors recommend, or leave it to the engine. */
export function DefaultsDialog({ model, own, recommended, onClose }: DefaultsDialogProps) {
  const { organization } = useSession()
  const [texts, setTexts] = useState(() => toTexts(own))
  const set = (field: keyof Defaults) => (event: { target: { value: string } }) =>
    setTexts({ ...texts, [field]: event.target.value })
  const { submit, isBusy, failure } = useSubmit(async () => {
    const params = { path: { organization: organization.id } }
    const body = { name: model, defaults: toDefaults(texts) }
    await send(api.PUT('/organizations/{organization}/models/defaults', { params, body }))
    await readAgain(organization.id, ['models'])
    showToast('Defaults saved')
    onClose()
  })
  return (
    <Dialog
      title={
        <>
          Defaults of <Name text={model} />
        </>
      }
      onClose={onClose}
    >
      <form className="stack" onSubmit={submit}>
        <p className="soft">
          Requests that set a value themselves always win. Devices use changes from their next job on.
        </p>
        <div className="default-numbers">
          {NUMBER_FIELDS.map(({ field, label, ...range }) => (
            <TextField
              key={field}
              label={label}
              type="number"
              step={field === 'maxTokens' ? 1 : 'any'}
              {...range}
              placeholder={recommended[field] === null ? 'not set' : `${recommended[field]} (recommended)`}
              value={texts[field]}
              onChange={set(field)}
            />
          ))}
        </div>
        <TextArea
          label="System message"
          rows={3}
          maxLength={16_384}
          placeholder={recommended.systemMessage ?? ''}
          hint="For conversations without a system or developer message."
          value={texts.systemMessage}
          onChange={set('systemMessage')}
        />
        <TextArea
          label="Chat template"
          className="input default-template"
          rows={4}
          maxLength={32_768}
          spellCheck={false}
          hint="Jinja. Replaces the template in the model’s file, if that is broken. Local servers such as Ollama keep their own."
          value={texts.chatTemplate}
          onChange={set('chatTemplate')}
        />
        {failure !== undefined && <Problem error={failure} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type Texts = Record<keyof Defaults, string>

function toTexts(defaults: Defaults): Texts {
  return Object.fromEntries(Object.entries(defaults).map(([field, value]) => [field, String(value ?? '')])) as Texts
}

function toDefaults({ systemMessage, chatTemplate, ...numbers }: Texts): Defaults {
  const number = (text: string) => (text.trim() === '' ? null : Number(text))
  return {
    temperature: number(numbers.temperature),
    topP: number(numbers.topP),
    maxTokens: number(numbers.maxTokens),
    frequencyPenalty: number(numbers.frequencyPenalty),
    presencePenalty: number(numbers.presencePenalty),
    systemMessage: systemMessage.trim() === '' ? null : systemMessage,
    chatTemplate: chatTemplate.trim() === '' ? null : chatTemplate,
  }
}
