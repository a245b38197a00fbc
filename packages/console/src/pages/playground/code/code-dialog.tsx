import { CodeTabs } from '../../../parts/code/code-tabs.tsx'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { Loaded } from '../../../parts/feedback/states.tsx'
import { useRead } from '../../../session/use-read.ts'
import { requestedTurns, type Attachment, type Turn } from '../conversation/turn.ts'
import type { Model } from '../models/chosen-model.ts'
import { makeBody } from '../conversation/make-body.ts'
import { makeCode } from './make-code.ts'
import type { Settings } from '../settings/settings.ts'

export interface CodeDialogProps {
  model: Model
  settings: Settings
  turns: readonly Turn[]
  draft: string
  files: readonly Attachment[]
  onClose: () => void
}

/** Shows the next call if there is a draft, and the last call otherwise. */
export function CodeDialog({ model, settings, turns, draft, files, onClose }: CodeDialogProps) {
  const overview = useRead('/overview')
  const body = makeBody(model.name, settings, model.features, turnsToShow(turns, draft, files))
  return (
    <Dialog
      shape="wide"
      title="Code for this request"
      about="Put one of your API keys in the environment variable HEARTH_API_KEY."
      onClose={onClose}
    >
      <Loaded query={overview}>
        {({ baseUrl }) => <CodeTabs label="Languages" kind="code" examples={makeCode(baseUrl, body)} />}
      </Loaded>
    </Dialog>
  )
}

function turnsToShow(turns: readonly Turn[], draft: string, files: readonly Attachment[]): readonly Turn[] {
  if (draft.trim() !== '' || files.length > 0) return [...turns, { id: 0, role: 'user', text: draft, files }]
  return turns.length === 0 ? [{ id: 0, role: 'user', text: 'Hello!' }] : requestedTurns(turns)
}
