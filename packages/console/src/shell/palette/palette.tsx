// ⌘K or Ctrl-K: one field that finds pages, models, devices, keys, members and actions. The field keeps the focus; arrow keys move the
// highlight through the list, as in a combobox.

import { Search } from 'lucide-react'
import { useDeferredValue, useId, useState, type KeyboardEvent, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useModal } from '../../parts/dialog/use-modal.ts'
import { type Command, useActionCommands, useOrganizationCommands, usePageCommands } from './commands.ts'
import { Name } from '../../parts/text/name.tsx'
import { rank, score } from '../../lib/rank.ts'
import { useRead } from '../../session/use-read.ts'
import { useFoundRows } from './found-rows.ts'

interface PaletteProps {
  onClose: () => void
  onHelp: () => void
}

const FRAME =
  'w-[min(38rem,100vw-1.5rem)] max-w-none max-h-[min(34rem,100dvh-2rem)] mt-[min(14vh,8rem)] mx-auto mb-auto p-0 flex-col text-inherit bg-raised border border-line-strong rounded-large shadow-large overflow-hidden open:flex motion-safe:open:animate-drop pointer-coarse:mt-7.5'

export function Palette({ onClose, onHelp }: PaletteProps) {
  const id = useId()
  const modal = useModal(onClose)
  const highlight = useHighlight({ onClose, onHelp })
  const { typed, shown } = highlight
  return createPortal(
    <dialog {...modal} className={FRAME} aria-label="Search">
      <Field id={id} {...highlight} />
      <List id={id} {...highlight} />
      <p className={shown.length === 0 ? 'text-center text-soft px-10 pt-15 pb-20' : 'sr-only'} role="status">
        {shown.length === 0 ? `Nothing found for “${typed.trim()}”` : `${shown.length} results`}
      </p>
    </dialog>,
    document.body,
  )
}

/** The typed text, the commands it finds, and which of them is highlighted. */
function useHighlight({ onClose, onHelp }: PaletteProps) {
  const [typed, setTyped] = useState('')
  // Its id, not its place: results that arrive later must not put another command under the Enter key.
  const [active, setActive] = useState<string>()
  const groups = useGroups(useDeferredValue(typed), onHelp)
  const shown = groups.flatMap(({ commands }) => commands)
  const current = Math.max(
    shown.findIndex(({ id }) => id === active),
    0,
  )
  const point = (index: number) => setActive(shown[index]?.id)
  return {
    typed,
    groups,
    shown,
    current,
    type: (text: string) => {
      setTyped(text)
      setActive(undefined)
    },
    point,
    move: (step: number) => point((current + step + shown.length) % Math.max(shown.length, 1)),
    run: (command: Command | undefined) => {
      if (!command) return
      onClose()
      command.run()
    },
  }
}

type Highlight = ReturnType<typeof useHighlight> & { id: string }

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function Field({ id, typed, shown, current, type, move, run }: Highlight) {
  function press(event: KeyboardEvent): void {
    // While an input method composes a character, the keys are its own.
    if (event.nativeEvent.isComposing) return
    const step = STEPS[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step === undefined) run(shown[current])
    else move(step)
  }
  return (
    <div className="flex flex-none items-center gap-7.5 border-b border-line px-10 [&>svg]:text-faint">
      <Search size={18} aria-hidden />
      {/* The field is the only thing that can have the focus. */}
      <input
        className="flex-1 min-w-0 min-h-34 text-[1.1rem] bg-transparent border-0 p-0 focus-visible:outline-none"
        role="combobox"
        aria-label="Search pages, models, devices, keys, members and actions"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={shown[current] && `${id}-${current}`}
        aria-autocomplete="list"
        placeholder="Search or jump to…"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus
        value={typed}
        onChange={(event) => type(event.target.value)}
        onKeyDown={press}
      />
      <kbd aria-hidden>Esc</kbd>
    </div>
  )
}

function List({ id, groups, shown, current, point, run }: Highlight) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Results"
      className="overflow-y-auto overscroll-contain px-5 pt-4 pb-5"
    >
      {groups.map(({ title, commands }) => (
        <div key={title} role="group" aria-labelledby={`${id}-${title}`}>
          <p id={`${id}-${title}`} className="text-tiny font-medium text-faint px-6 pt-5 pb-2.5">
            {title}
          </p>
          {commands.map((command) => {
            const index = shown.indexOf(command)
            return (
              <Option
                key={command.id}
                id={`${id}-${index}`}
                command={command}
                isActive={index === current}
                onPoint={() => point(index)}
                onRun={() => run(command)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

interface OptionProps {
  id: string
  command: Command
  isActive: boolean
  onPoint: () => void
  onRun: () => void
}

function Option({ id, command: { title, detail, icon: Icon }, isActive, onPoint, onRun }: OptionProps) {
  const option = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // The field handles the keys, so that it keeps the focus.
    <button
      ref={option}
      type="button"
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className="flex items-center gap-7.5 w-full min-h-25 text-left rounded scroll-my-20 px-6 py-2.5 aria-selected:bg-ink/7 [&>svg]:text-faint aria-selected:[&>svg]:text-ink pointer-coarse:min-h-30"
      onMouseMove={onPoint}
      onClick={onRun}
    >
      <Icon size={16} aria-hidden />
      <Name text={title} isCut />
      {detail !== undefined && (
        <span className="flex-1 min-w-30 text-right text-small text-soft">
          <Name text={detail} isCut />
        </span>
      )}
    </button>
  )
}

interface Group {
  title: string
  commands: Command[]
}

/** The group with the best match comes first. */
function useGroups(typed: string, onHelp: () => void): Group[] {
  const overview = useRead('/overview')
  const fixed = [
    ...usePageCommands(),
    ...useActionCommands({ baseUrl: overview.data?.baseUrl, onHelp }),
    ...useOrganizationCommands(),
  ]
  const commands = [...rank(fixed, typed, textOf), ...useFoundRows(typed)]
  const groups = Map.groupBy(commands, ({ group }) => group)
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const best = ({ commands: [first] }: Group) =>
    first && words.length > 0 ? score(words, first.title.toLowerCase()) : 0
  return Array.from(groups, ([title, found]) => ({ title, commands: found })).toSorted(
    (one, other) => best(other) - best(one),
  )
}

function textOf({ title, words = '' }: Command): string {
  return `${title} ${words}`
}
