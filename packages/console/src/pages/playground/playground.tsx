import { Code2, Eraser, SlidersHorizontal } from 'lucide-react'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Shapes } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Segments } from '../../parts/filter-bar.tsx'
import { Page } from '../../parts/page.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'
import { CodeDialog } from './code-dialog.tsx'
import { Composer } from './composer.tsx'
import { makeBody } from './make-body.ts'
import { ModelChoice, useChosenModel } from './model-choice.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { DEFAULTS, readSettings, type Settings } from './settings.ts'
import { Thread } from './thread.tsx'
import { Turns } from './turns.tsx'
import { useConversation, type Conversation } from './use-conversation.ts'
import { useIsWide } from './use-is-wide.ts'
import { useKept } from './use-kept.ts'
import type { View } from './view.ts'
import './playground.css'

interface PlaygroundProps {
  title: string
  about: ReactNode
  models: readonly Shapes['Model'][]
}

export function Playground({ title, about, models }: PlaygroundProps) {
  const { organization } = useSession()
  const [model, chooseModel] = useChosenModel(organization.id, models)
  const [settings, setSettings] = useKept<Settings>(organization.id, 'settings', DEFAULTS)
  const [view, setView] = useKept<View>(organization.id, 'view', 'markdown')
  const [draft, setDraft] = useKept(organization.id, 'draft', '')
  const conversation = useConversation(
    organization.id,
    (turns) => makeBody(model.name, settings, model.features, turns).body,
  )
  useEscape(conversation)
  const faults = useMemo(() => readSettings(settings, model.features).faults, [settings, model])
  const example = Object.keys(faults).length > 0 ? setDraft : conversation.send
  const panel = useMemo(() => {
    const change = (changes: Partial<Settings>) => {
      setSettings((all) => ({ ...all, ...changes }))
      if (changes.logprobs !== undefined) setView(changes.logprobs ? 'tokens' : 'markdown')
    }
    return <SettingsPanel settings={settings} faults={faults} model={model} onChange={change} />
  }, [settings, faults, model, setSettings, setView])
  return (
    <Page title={title} about={about} shape="fill" actions={<Actions {...{ model, settings, conversation, draft }} />}>
      <div className="playground">
        <div className="playground-main">
          <Toolbar panel={panel} view={view} onView={setView}>
            <ModelChoice models={models} model={model} onChoose={chooseModel} />
          </Toolbar>
          <Thread turns={conversation.turns}>
            <Turns conversation={conversation} view={view} onExample={example} />
          </Thread>
          <Composer conversation={conversation} draft={draft} onDraft={setDraft} faults={faults} />
        </div>
        <AtTheSide>{panel}</AtTheSide>
      </div>
    </Page>
  )
}

interface ActionsProps {
  model: Shapes['Model']
  settings: Settings
  conversation: Conversation
  draft: string
}

function Actions({ model, settings, conversation, draft }: ActionsProps) {
  const [isCodeOpen, setCodeOpen] = useState(false)
  return (
    <>
      <Button icon={Code2} onClick={() => setCodeOpen(true)}>
        View code
      </Button>
      <Button
        icon={Eraser}
        disabled={conversation.turns.length === 0}
        onClick={() => showToast('Conversation cleared', conversation.clear())}
      >
        Clear
      </Button>
      {isCodeOpen && (
        <CodeDialog
          model={model}
          settings={settings}
          turns={conversation.turns}
          draft={draft}
          onClose={() => setCodeOpen(false)}
        />
      )}
    </>
  )
}

interface ToolbarProps {
  panel: ReactNode
  view: View
  onView: (view: View) => void
  children: ReactNode
}

function Toolbar({ panel, view, onView, children }: ToolbarProps) {
  return (
    <div className="playground-toolbar">
      {children}
      <div className="row">
        <Segments
          label="View"
          value={view}
          onChange={onView}
          choices={[
            { value: 'markdown', label: 'Markdown' },
            { value: 'plain', label: 'Plain text' },
            { value: 'tokens', label: 'Tokens' },
          ]}
        />
        <InASheet>{panel}</InASheet>
      </div>
    </div>
  )
}

function AtTheSide({ children }: { children: ReactNode }) {
  const isWide = useIsWide()
  return isWide ? (
    <aside className="playground-side card" aria-label="Settings">
      {children}
    </aside>
  ) : null
}

function InASheet({ children }: { children: ReactNode }) {
  const isWide = useIsWide()
  const [isOpen, setOpen] = useState(false)
  if (isWide) return null
  return (
    <>
      <Button icon={SlidersHorizontal} onClick={() => setOpen(true)}>
        Settings
      </Button>
      {isOpen && (
        <Dialog shape="sheet" title="Settings" onClose={() => setOpen(false)}>
          {children}
        </Dialog>
      )}
    </>
  )
}

/** Escape stops the response, wherever the focus is. In a dialog, it closes the dialog. */
function useEscape({ isRunning, stop }: Conversation): void {
  useEffect(() => {
    if (!isRunning) return undefined
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open], [role="menu"]') === null) stop()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isRunning, stop])
}
