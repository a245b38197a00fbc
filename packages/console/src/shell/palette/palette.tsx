// ⌘K or Ctrl-K: one field that finds pages, models, devices, keys, members and actions. The field keeps the focus; arrow keys move the
// highlight through the list, as in a combobox.

import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useDeferredValue, useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { overview as overviewQuery } from '../../api/queries/organization.ts'
import { rank, score } from '../../lib/rank.ts'
import { Name } from '../../parts/text/name.tsx'
import { useSession } from '../../session/session.ts'
import { useActionCommands, useOrganizationCommands, usePageCommands, type Command } from './commands.ts'
import { useFoundRows } from './found-rows.ts'
import './palette.css'

interface PaletteProps {
  onClose: () => void
  onHelp: () => void
}

export function Palette({ onClose, onHelp }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const groups = useGroups(useDeferredValue(typed), onHelp)
  const shown = groups.flatMap(({ commands }) => commands)
  const current = Math.min(active, shown.length - 1)
  const id = useId()
  const dialog = useModal()

  function run(command: Command | undefined): void {
    if (!command) return
    onClose()
    command.run()
  }

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step === undefined) run(shown[current])
    else setActive((current + step + shown.length) % Math.max(shown.length, 1))
  }

  return createPortal(
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Search"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
    >
      <div className="palette-field">
        <Search size={18} aria-hidden />
        <input
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
          onChange={(event) => {
            setTyped(event.target.value)
            setActive(0)
          }}
          onKeyDown={press}
        />
        <kbd aria-hidden>Esc</kbd>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="palette-list">
        {groups.map(({ title, commands }) => (
          <div key={title} role="group" aria-labelledby={`${id}-${title}`}>
            <p id={`${id}-${title}`} className="palette-group">
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
                  onPoint={() => setActive(index)}
                  onRun={() => run(command)}
                />
              )
            })}
          </div>
        ))}
      </div>
      <p className={shown.length === 0 ? 'palette-none' : 'unseen'} role="status">
        {shown.length === 0 ? `Nothing found for “${typed.trim()}”` : `${shown.length} results`}
      </p>
    </dialog>,
    document.body,
  )
}

function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return dialog
}

interface Group {
  title: string
  commands: Command[]
}

/** The group with the best match comes first. */
function useGroups(typed: string, onHelp: () => void): Group[] {
  const { organization } = useSession()
  const overview = useQuery(overviewQuery(organization.id))
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
      className="palette-option"
      onMouseMove={onPoint}
      onClick={onRun}
    >
      <Icon size={16} aria-hidden />
      <Name text={title} isCut />
      {detail !== undefined && (
        <span className="palette-detail">
          <Name text={detail} isCut />
        </span>
      )}
    </button>
  )
}
