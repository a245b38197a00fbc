import { Bookmark, Link2 } from 'lucide-react'
import { useState } from 'react'
import { copyText } from '../../../parts/code/copy-button.tsx'
import { TextField } from '../../../parts/control/field.tsx'
import { MenuItem } from '../../../parts/control/menu.tsx'
import { DeleteItem, RowMenu } from '../../../parts/control/row-menu.tsx'
import { DialogButton } from '../../../parts/dialog/dialog-button.tsx'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { Form } from '../../../parts/dialog/form.tsx'
import { report, showToast } from '../../../parts/feedback/toasts.tsx'
import { Name } from '../../../parts/text/name.tsx'
import type { ChatStore } from '../conversation/chat-store.ts'
import { linkOf, type Preset, type SharedPreset } from '../settings/preset.ts'

interface PresetsProps {
  store: ChatStore
  presets: readonly Preset[]
  /** What a new preset takes. */
  now: Omit<SharedPreset, 'name'>
  onUse: (preset: SharedPreset) => void
}

/** Saves the model and its settings under a name, and brings them back. */
export function Presets(props: PresetsProps) {
  return (
    <div className="pt-7.5">
      <DialogButton icon={Bookmark} size="small" renderDialog={(close) => <PresetsDialog {...props} onClose={close} />}>
        Presets
      </DialogButton>
    </div>
  )
}

function PresetsDialog({ store, presets, now, onUse, onClose }: PresetsProps & { onClose: () => void }) {
  const [name, setName] = useState('')
  const save = async () => {
    store.addPreset({ name: name.trim(), ...now })
    setName('')
  }
  return (
    <Dialog
      title="Presets"
      about="A preset keeps the model, system message and settings in this browser. A link carries them to others."
      onClose={onClose}
    >
      <ul className="grid gap-1.5" aria-label="Presets">
        {presets.map((preset) => (
          <li key={preset.id} className="flex items-center gap-1.5 min-w-0 pe-2.5 rounded hover:bg-hover">
            <button
              type="button"
              className="grid flex-1 min-w-0 text-start rounded px-7 py-4"
              onClick={() => (onUse(preset), onClose())}
            >
              <Name text={preset.name} isCut />
              <span className="text-small text-faint">
                <Name text={preset.model} isCut />
              </span>
            </button>
            <RowMenu of={preset.name}>
              <MenuItem title="Copy link" icon={Link2} onSelect={() => report(copyLink(preset), 'Link copied')} />
              <DeleteItem onSelect={() => showToast('Preset deleted', store.removePreset(preset.id))} />
            </RowMenu>
          </li>
        ))}
      </ul>
      <Form act={save} action="Save current settings" disabled={name.trim() === ''} done="Preset saved">
        <TextField label="Name" maxLength={128} value={name} onText={setName} />
      </Form>
    </Dialog>
  )
}

async function copyLink(preset: Preset): Promise<void> {
  return copyText(linkOf(preset, `${window.location.origin}/playground`))
}
