import { SlidersHorizontal } from 'lucide-react'
import { useMemo, type ReactNode, useCallback } from 'react'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Segments } from '../../parts/control/filter-bar.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { ChatButtons } from './chat-buttons.tsx'
import { ChatList } from './chat-list.tsx'
import { Composer } from './compose/composer.tsx'
import { findChosenModel, type Model } from './models/chosen-model.ts'
import { Columns } from './turns/columns.tsx'
import { ModelSelect } from './models/model-select.tsx'
import type { SharedPreset } from './settings/preset.ts'
import { Presets } from './presets/presets.tsx'
import { SharedPresetDialog } from './presets/shared-preset.tsx'
import { SettingsPanel } from './settings/settings-panel.tsx'
import { useFileDrop } from './compose/use-file-drop.ts'
import { noteOf, usePlayground } from './use-playground.ts'
import { DialogButton } from '../../parts/dialog/dialog-button.tsx'
import { useRead } from '../../session/use-read.ts'
import { TokensNote } from './tokens-note.tsx'
import { usePanels } from './use-panels.ts'

interface PlaygroundProps {
  title: string
  about: ReactNode
  /** At least one of them is enabled. */
  models: readonly Model[]
}

export function Playground({ title, about, models }: PlaygroundProps) {
  const state = usePlayground(models)
  const { chatState, chosen, readyModels, settings, errors, changeSettings } = state
  // Each of two models that are compared has its own.
  const isOne = readyModels.length === 1
  const { data } = useRead('/models/defaults', { query: { name: readyModels[0]?.name ?? '' } }, { enabled: isOne })
  const defaults = isOne ? data : undefined
  const panels = usePanels(chatState.columns.length)
  const { store, presets } = chatState
  const model = chosen[0]?.name ?? ''
  const applyPreset = useCallback(
    (preset: SharedPreset) => {
      store.openWith(preset.model)
      changeSettings(preset.settings)
    },
    [store, changeSettings],
  )
  const panel = useMemo(
    () => (
      <>
        <Presets store={store} presets={presets} now={{ model, settings }} onUse={applyPreset} />
        <SettingsPanel {...{ settings, errors, defaults }} models={readyModels} onChange={changeSettings} />
      </>
    ),
    [store, presets, model, applyPreset, settings, errors, defaults, readyModels, changeSettings],
  )
  const list = {
    chatState,
    models,
    settings,
    onSelect: (chat: number) => chatState.store.select(chat),
    onNew: () => chatState.store.start(),
  }
  const { draft, files } = state
  const code = readyModels[0] && { model: readyModels[0], settings, turns: chatState.columns[0].turns, draft, files }
  return (
    <Page
      title={title}
      about={about}
      shape="fill"
      actions={<ChatButtons {...list} {...{ chosen, code }} hasList={panels.hasList} />}
    >
      <div className="playground flex flex-1 gap-15 min-w-0 min-h-0">
        {panels.hasList && (
          <aside className="flex flex-none flex-col w-150 min-h-0 pb-15">
            <ChatList {...list} />
          </aside>
        )}
        <SharedPresetDialog models={models} onUse={applyPreset} />
        <Middle {...{ state, models, panels, panel }} />
        {panels.hasSettings && (
          <aside
            className="card flex-none w-215 min-h-0 mb-15 overflow-y-auto overscroll-contain px-11 py-2.5"
            aria-label="Settings"
          >
            {panel}
          </aside>
        )}
      </div>
    </Page>
  )
}

interface MiddleProps {
  state: ReturnType<typeof usePlayground>
  models: readonly Model[]
  panels: ReturnType<typeof usePanels>
  panel: ReactNode
}

/** The conversation and the message field. Files can be dropped on all of it. */
function Middle(props: MiddleProps) {
  const { state, models } = props
  const { chatState, chosen, obstacle, view, editing, setDraft } = state
  const { isOver, handlers } = useFileDrop(state.attach)
  return (
    <div className="relative flex flex-1 flex-col gap-7.5 min-w-0 min-h-0" {...handlers}>
      <Toolbar {...props} />
      {view === 'tokens' && (
        <TokensNote
          columns={chatState.columns}
          models={state.readyModels}
          settings={state.settings}
          onTurnOn={() => state.changeSettings({ logprobs: true })}
        />
      )}
      <Columns
        {...{ chatState, models, chosen, view, editing }}
        store={chatState.store}
        maySend={obstacle === undefined}
        onEditing={state.setEditing}
        onModel={(column, name) => chatState.store.chooseModel(column.id, name)}
        onExample={obstacle === undefined ? (text) => chatState.store.send(text) : setDraft}
      />
      <Composer
        {...{ draft: state.draft, files: state.files, obstacle, isRunning: chatState.isRunning }}
        note={noteOf(chatState)}
        onDraft={setDraft}
        onAttach={state.attach}
        onDetach={state.detach}
        onSend={state.send}
        onStop={() => chatState.store.stop()}
        onEditLast={state.editLast}
      />
      {isOver && (
        <p className="absolute inset-0 bottom-10 z-5 grid place-items-center font-strong bg-surface/92 border-2 border-dashed border-accent rounded-large pointer-events-none">
          Drop text files to attach them
        </p>
      )}
    </div>
  )
}

function Toolbar({ state, models, panels: { isPhone, hasSettings }, panel }: MiddleProps) {
  const { chatState, view, setView } = state
  const views = <Segments label="View" value={view} onChange={setView} choices={VIEWS} />
  return (
    <div className="playground-toolbar flex flex-wrap items-start justify-between gap-7.5 narrow:grid narrow:grid-cols-[1fr_auto] narrow:gap-x-5 narrow:gap-y-3">
      {chatState.columns.length === 1 && (
        <ModelSelect
          key={chatState.columns[0].id}
          label="Model"
          models={models}
          chosen={findChosenModel(chatState.columns[0].model, models)}
          onChoose={(name) => chatState.store.chooseModel(chatState.columns[0].id, name)}
        />
      )}
      <div className="row playground-views ms-auto">
        {!isPhone && views}
        {!hasSettings && (
          <DialogButton
            icon={SlidersHorizontal}
            renderDialog={(close) => (
              <Dialog shape="sheet" title="Settings" onClose={close}>
                {isPhone && views}
                {panel}
              </Dialog>
            )}
          >
            <span>Settings</span>
          </DialogButton>
        )}
      </div>
    </div>
  )
}

const VIEWS = [
  { value: 'markdown', label: 'Markdown' },
  { value: 'plain', label: 'Plain text' },
  { value: 'tokens', label: 'Tokens' },
] as const
