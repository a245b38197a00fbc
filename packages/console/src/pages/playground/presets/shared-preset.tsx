import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { Form } from '../../../parts/dialog/form.tsx'
import { Problem } from '../../../parts/feedback/states.tsx'
import { Facts } from '../../../parts/text/facts.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { isEnabled, type Model } from '../models/chosen-model.ts'
import { changesOf, readSharedPreset, type SharedPreset } from '../settings/preset.ts'

interface SharedPresetProps {
  models: readonly Model[]
  onUse: (preset: SharedPreset) => void
}

/** Shows all of a preset that came with a link. Nothing changes before you say so, and the link is gone from the URL afterwards. */
export function SharedPresetDialog({ models, onUse }: SharedPresetProps) {
  const hash = useLocation({ select: ({ href }) => new URL(href, window.location.origin).hash })
  const navigate = useNavigate()
  const read = useMemo(() => readOrExplain(hash), [hash])
  const close = () => void navigate({ to: '/playground', search: true, hash: '', replace: true })
  if (!read) return null
  if (read instanceof Error)
    return (
      <Dialog title="Can’t use this preset" about="Nothing was changed." onClose={close}>
        <Problem error={read} />
      </Dialog>
    )
  const isThere = models.some((one) => one.name === read.model && isEnabled(one))
  const show = ([field, value]: [string, string | boolean]) =>
    [
      field,
      <pre key={field} className="model-text max-h-120 overflow-auto whitespace-pre-wrap m-0">
        {String(value)}
      </pre>,
    ] as const
  return (
    <Dialog title="Shared preset" of={read.name} about="Use it only if you trust its sender." onClose={close}>
      <Form act={async () => (close(), onUse(read))} action="Use preset" onClose={close}>
        <Facts
          facts={[['model', <Name key="model" text={read.model} isStrong />], ...changesOf(read.settings).map(show)]}
        />
        {!isThere && (
          <p className="text-warn">This model is not enabled here. You can choose another one afterwards.</p>
        )}
      </Form>
    </Dialog>
  )
}

function readOrExplain(hash: string): SharedPreset | Error | undefined {
  try {
    return readSharedPreset(hash)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
