// The state of the page: conversation, models, settings and the message that is being written.

import { useCallback, useEffect, useMemo, useState, type Dispatch, type SetStateAction } from 'react'
import { useSession } from '../../session/session.ts'
import type { ChatColumn } from './conversation/chats.ts'
import { openCalls, type Attachment } from './conversation/turn.ts'
import { findChosenModel, suggestModel, type ChosenModel, type Model } from './models/chosen-model.ts'
import { makeBody } from './conversation/make-body.ts'
import { readSettings } from './settings/read-settings.ts'
import { DEFAULTS, type Settings } from './settings/settings.ts'
import { useChat, type ChatState } from './conversation/use-chat.ts'
import type { View } from './response/view.ts'
import { useChatInUrl } from './conversation/use-chat-in-url.ts'
import { showProblem } from '../../parts/feedback/toasts.tsx'
import { nextId } from './conversation/next-id.ts'
import { MAX_FILES, readAttachment } from './compose/read-attachment.ts'
import { useKept } from './use-kept.ts'

const NO_FILES: readonly Attachment[] = []

export function usePlayground(models: readonly Model[]) {
  const { organization } = useSession()
  const options = useOptions(organization.id)
  const { settings } = options
  const chatState = useChat((columns) => (id, turns) => {
    const found = findChosenModel(columns.find((column) => column.id === id)?.model, models)
    return found.kind === 'ready' ? makeBody(found.name, settings, found.model.features, turns) : undefined
  })
  const chosen = useChosen(chatState.columns, models)
  const readyModels = useMemo(() => chosen.flatMap((one) => (one.kind === 'ready' ? [one.model] : [])), [chosen])
  const errors = useMemo(() => readSettings(settings, readyModels[0]?.features ?? []).errors, [settings, readyModels])
  const obstacle = findObstacle(Object.keys(errors).length > 0, chosen)
  useEscape(chatState)
  // Also the model that the page suggests is fixed from here on: devices come and go, and a conversation stays with its model.
  useChatInUrl(chatState, (linked = suggestModel(models).name) => chatState.store.openWith(linked))
  return { chatState, chosen, readyModels, errors, obstacle, ...options, ...useDraft(organization.id, chatState) }
}

/** How to ask and how to show the response. */
function useOptions(organization: string) {
  const [settings, setSettings] = useKept<Settings>(organization, 'settings', DEFAULTS)
  const [view, setView] = useKept<View>(organization, 'view', 'markdown')
  const changeSettings = useCallback(
    (changes: Partial<Settings>) => {
      setSettings((all) => ({ ...all, ...changes }))
      if (changes.logprobs !== undefined) setView(changes.logprobs ? 'tokens' : 'markdown')
    },
    [setSettings, setView],
  )
  return { settings, changeSettings, view, setView }
}

/** The message that is being written, with its files, and the one that is being edited. */
function useDraft(organization: string, { store, columns }: ChatState) {
  const [draft, setDraft] = useKept(organization, 'draft', '')
  const [files, setFiles] = useKept(organization, 'files', NO_FILES)
  const [editing, setEditing] = useState<number>()
  return {
    draft,
    setDraft,
    files,
    attach: useAttach(setFiles),
    detach: (file: Attachment) => setFiles((all) => all.filter(({ id }) => id !== file.id)),
    send: () => {
      store.send(draft, files)
      setDraft('')
      setFiles(NO_FILES)
    },
    editing,
    setEditing,
    editLast: () => setEditing(columns[0].turns.findLast(({ role }) => role === 'user')?.id),
  }
}

/** The same objects as long as nothing changes, so that lists of models don't render with every chunk. */
function useChosen(columns: readonly ChatColumn[], models: readonly Model[]): readonly ChosenModel[] {
  const names = columns.map(({ model }) => model)
  const [first, second] = names
  const count = names.length
  return useMemo(
    () => [first, second].slice(0, count).map((name) => findChosenModel(name, models)),
    [first, second, count, models],
  )
}

function findObstacle(hasErrors: boolean, chosen: readonly ChosenModel[]): string | undefined {
  if (hasErrors) return 'Fix the highlighted setting to send.'
  return chosen.every(({ kind }) => kind === 'ready') ? undefined : 'Choose another model to send.'
}

/** The line under the message field. */
export function noteOf({ columns, isRunning }: ChatState): string {
  if (isRunning) return 'Press Esc to stop.'
  if (columns.some(({ turns }) => openCalls(turns).length > 0))
    return 'The model is waiting for tool results. If you send a message now, the model won’t get them.'
  return 'Press Enter to send, Shift + Enter for a new line.'
}

/** Escape stops the response, wherever the focus is. In a dialog, it closes the dialog. */
function useEscape({ isRunning, store }: ChatState): void {
  useEffect(() => {
    if (!isRunning) return undefined
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open], [role="menu"]') === null) store.stop()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isRunning, store])
}

/** How to attach the files of a file dialog, a drop or a paste. */
function useAttach(set: Dispatch<SetStateAction<readonly Attachment[]>>): (files: Iterable<File>) => void {
  return useCallback(
    (files) => {
      for (const file of files)
        readAttachment(file, nextId()).then((attachment) => set((all) => addFile(all, attachment)), showProblem)
    },
    [set],
  )
}

/** A file with the same name replaces the one before. */
function addFile(all: readonly Attachment[], file: Attachment): readonly Attachment[] {
  const others = all.filter(({ name }) => name !== file.name)
  if (others.length < MAX_FILES) return [...others, file]
  showProblem(new Error(`You can attach ${MAX_FILES} files at a time.`))
  return all
}
