import { useEffect, useRef } from 'react'
import { Name } from '../../parts/text/name.tsx'
import type { Command } from './commands.ts'

interface OptionProps {
  id: string
  command: Command
  isActive: boolean
  onPoint: () => void
  onRun: () => void
}

export function Option({ id, command: { title, detail, icon: Icon }, isActive, onPoint, onRun }: OptionProps) {
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
