import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { FormDialog } from '../../../parts/dialog/form.tsx'
import { TextArea, TextField } from '../../../parts/control/field.tsx'
import { useChange } from '../../../session/use-change.ts'
import { templateUse } from './template-use.ts'

type Defaults = Schemas['ModelDefaults']
type NumberField = Exclude<keyof Defaults, 'systemMessage' | 'chatTemplate'>

export const NUMBER_FIELDS: readonly { field: NumberField; label: string; min: number; max?: number }[] = [
  { field: 'temperature', label: 'Temperature', min: 0, max: 2 },
  { field: 'topP', label: 'Top P', min: 0, max: 1 },
  { field: 'maxTokens', label: 'Max tokens', min: 1 },
  { field: 'frequencyPenalty', label: 'Frequency penalty', min: -2, max: 2 },
  { field: 'presencePenalty', label: 'Presence penalty', min: -2, max: 2 },
  { field: 'repeatPenalty', label: 'Repeat penalty', min: 0.1, max: 2 },
  { field: 'topK', label: 'Top K', min: 1 },
  { field: 'minP', label: 'Min P', min: 0, max: 1 },
]

interface DefaultsDialogProps {
  model: Schemas['Model']
  own: Defaults
  recommended: Defaults
  onClose: () => void
}

/** Empty fields keep what the model's authors recommend, or leave it to the engine. */
export function DefaultsDialog({ model, own, recommended, onClose }: DefaultsDialogProps) {
  const [texts, setTexts] = useState(() => toTexts(own))
  const { mutateAsync } = useChange(['models'], async (api) =>
    api.put('/models/defaults', { body: { name: model.name, defaults: toDefaults(texts) } }),
  )
  const fieldOf = (field: keyof Defaults) => ({
    value: texts[field],
    onText: (text: string) => setTexts({ ...texts, [field]: text }),
  })
  return (
    <FormDialog
      title="Defaults of"
      of={model.name}
      act={mutateAsync}
      action="Save"
      done="Defaults saved"
      onClose={onClose}
    >
      <p className="text-soft">
        A value in the request always wins. Devices use the new defaults from their next job on.
      </p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-7.5">
        {NUMBER_FIELDS.map(({ field, label, ...range }) => (
          <TextField
            key={field}
            label={label}
            type="number"
            step={field === 'maxTokens' || field === 'topK' ? 1 : 'any'}
            {...range}
            placeholder={recommended[field] === null ? 'not set' : `${recommended[field]} (recommended)`}
            {...fieldOf(field)}
          />
        ))}
      </div>
      <TextArea
        label="System message"
        rows={3}
        maxLength={16_384}
        placeholder={recommended.systemMessage ?? ''}
        hint="For conversations without a system or developer message."
        {...fieldOf('systemMessage')}
      />
      <TextArea
        label="Chat template"
        className="input font-mono"
        rows={4}
        maxLength={32_768}
        spellCheck={false}
        hint={`Jinja. Replaces a broken template in the model’s file. Local servers such as Ollama keep their own. ${templateUse(model.devices) ?? ''}`}
        {...fieldOf('chatTemplate')}
      />
    </FormDialog>
  )
}

type Texts = Record<keyof Defaults, string>

function toTexts(defaults: Defaults): Texts {
  const texts = Object.entries(defaults).map(([field, value]) => [field, String(value ?? '')])
  return Object.fromEntries(texts) as Texts
}

/** An empty field sets nothing. */
function toDefaults(texts: Texts): Defaults {
  const values = Object.entries(texts).map(([field, text]) => {
    const isNumber = NUMBER_FIELDS.some((one) => one.field === field)
    return [field, text.trim() === '' ? null : isNumber ? Number(text) : text]
  })
  return Object.fromEntries(values) as Defaults
}
