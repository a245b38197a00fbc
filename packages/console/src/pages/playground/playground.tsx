import { SlidersHorizontal } from 'lucide-react'
import { useMemo, type ReactNode, useCallback, useSyncExternalStore } from 'react'
import { Button } from '../../parts/control/button.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Segments } from '../../parts/control/filter-bar.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { ChatButtons } from './chat-buttons.tsx'
import { ChatList } from './chat-list.tsx'
import { Composer } from './compose/composer.tsx'
import { findLaneModel, type Model } from './models/lane-model.ts'
import { Lanes } from './turns/lanes.tsx'
import { ModelChoice } from './models/model-choice.tsx'
import type { SharedPreset } from './settings/preset.ts'
import { Presets } from './presets/presets.tsx'
import { SharedPresetDialog } from './presets/shared-preset.tsx'
import { SettingsPanel } from './settings/settings-panel.tsx'
import { useFileDrop } from './compose/use-file-drop.ts'
import { noteOf, usePlayground } from './use-playground.ts'
import { Name } from '../../parts/text/name.tsx'
import type { Lane } from './conversation/chats.ts'
import { modelsWithout } from './models/feature-note.tsx'
import type { Settings } from './settings/settings.ts'
import { DialogButton } from '../../parts/dialog/dialog-button.tsx'
import { useRead } from '../../session/use-read.ts'

interface PlaygroundProps {
  title: string
  about: ReactNode
  /** At least one of them is enabled. */
  models: readonly Model[]
}

export function Playground({ title, about, models }: PlaygroundProps) {
  const state = usePlayground(models)
  const { hand, chosen, asked, settings, faults, changeSettings } = state
  // Each of two models that are compared has its own.
  const isOne = asked.length === 1
  const { data } = useRead('/models/defaults', { query: { name: asked[0]?.name ?? '' } }, { enabled: isOne })
  const defaults = isOne ? data : undefined
  const panels = usePanels(hand.lanes.length)
  const { store, presets } = hand
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
        <SettingsPanel {...{ settings, faults, defaults }} models={asked} onChange={changeSettings} />
      </>
    ),
    [store, presets, model, applyPreset, settings, faults, defaults, asked, changeSettings],
  )
  const list = {
    hand,
    models,
    settings,
    onSelect: (chat: number) => hand.store.select(chat),
    onNew: () => hand.store.start(),
  }
  const { draft, files } = state
  const code = asked[0] && { model: asked[0], settings, turns: hand.lanes[0].turns, draft, files }
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
  const { hand, chosen, obstacle, view, editing, setDraft } = state
  const { isOver, handlers } = useFileDrop(state.attach)
  return (
    <div className="relative flex flex-1 flex-col gap-7.5 min-w-0 min-h-0" {...handlers}>
      <Toolbar {...props} />
      {view === 'tokens' && (
        <TokensNote
          lanes={hand.lanes}
          models={state.asked}
          settings={state.settings}
          onTurnOn={() => state.changeSettings({ logprobs: true })}
        />
      )}
      <Lanes
        {...{ hand, models, chosen, view, editing }}
        store={hand.store}
        mayAsk={obstacle === undefined}
        onEditing={state.setEditing}
        onModel={(lane, name) => hand.store.chooseModel(lane.id, name)}
        onExample={obstacle === undefined ? (text) => hand.store.send(text) : setDraft}
      />
      <Composer
        {...{ draft: state.draft, files: state.files, obstacle, isRunning: hand.isRunning }}
        note={noteOf(hand)}
        onDraft={setDraft}
        onAttach={state.attach}
        onDetach={state.detach}
        onSend={state.send}
        onStop={() => hand.store.stop()}
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
  const { hand, view, setView } = state
  const views = <Segments label="View" value={view} onChange={setView} choices={VIEWS} />
  return (
    <div className="playground-toolbar flex flex-wrap items-start justify-between gap-7.5 narrow:grid narrow:grid-cols-[1fr_auto] narrow:gap-x-5 narrow:gap-y-3">
      {hand.lanes.length === 1 && (
        <ModelChoice
          key={hand.lanes[0].id}
          label="Model"
          models={models}
          chosen={findLaneModel(hand.lanes[0].model, models)}
          onChoose={(name) => hand.store.chooseModel(hand.lanes[0].id, name)}
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

function useMedia(query: string): boolean {
  const media = useMemo(() => window.matchMedia(query), [query])
  const watch = useCallback(
    (watcher: () => void) => {
      media.addEventListener('change', watcher)
      return () => media.removeEventListener('change', watcher)
    },
    [media],
  )
  return useSyncExternalStore(watch, () => media.matches)
}

/** Which panels have room beside the conversation. Two lanes need more. A phone has room for nothing else; see playground.css. */
function usePanels(lanes: number): { isPhone: boolean; hasList: boolean; hasSettings: boolean } {
  const isPhone = useMedia('(max-width: 48rem)')
  const isWide = useMedia('(min-width: 70rem)')
  const isWider = useMedia('(min-width: 94rem)')
  const isWidest = useMedia('(min-width: 118rem)')
  return lanes === 1
    ? { isPhone, hasList: isWider, hasSettings: isWide }
    : { isPhone, hasList: isWidest, hasSettings: isWider }
}

interface TokensNoteProps {
  lanes: readonly Lane[]
  models: readonly Model[]
  settings: Settings
  onTurnOn: () => void
}

/** Shown in the tokens view as long as it has nothing to show, with the reason and the remedy. */
function TokensNote({ lanes, models, settings, onTurnOn }: TokensNoteProps) {
  const [lacking] = modelsWithout(models, 'logprobs')
  if (settings.logprobs && !isAnyWithoutTokens(lanes)) return null
  return (
    <div
      className="text-small flex flex-wrap items-center justify-between gap-x-10 gap-y-5 bg-sunken border border-line rounded px-7.5 py-5"
      role="status"
    >
      {lacking ? (
        <span>
          The tokens view needs log probabilities, and no device serving <Name text={lacking.name} /> supports them.
        </span>
      ) : settings.logprobs ? (
        <span>Log probabilities are on from the next response. Earlier responses have none and are shown as text.</span>
      ) : (
        <>
          <span>The tokens view needs log probabilities, which are off. Responses are shown as text.</span>
          <Button size="small" onClick={onTurnOn}>
            Turn on for the next response
          </Button>
        </>
      )}
    </div>
  )
}

function isAnyWithoutTokens(lanes: readonly Lane[]): boolean {
  return lanes.some(({ turns }) =>
    turns.some(
      (turn) =>
        turn.role === 'assistant' &&
        turn.state !== 'running' &&
        turn.answer.choices.some(({ text, tokenCount }) => text !== '' && tokenCount === 0),
    ),
  )
}
