import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import './filter-bar.css'

interface FilterBarProps {
  /** "Filter models" */
  label: string
  value: string
  onChange: (value: string) => void
  /** More filters. */
  children?: ReactNode
}

/** Pressing / focuses the input. */
export function FilterBar({ label, value, onChange, children }: FilterBarProps) {
  return (
    <div className="filter-bar">
      <div className="filter">
        <Search size={16} aria-hidden />
        <input
          type="search"
          className="input"
          data-filter
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <kbd aria-hidden>/</kbd>
      </div>
      {children}
    </div>
  )
}

interface SegmentsProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  choices: readonly { value: Value; label: string; count?: number }[]
}

/** Picks one of a few visible options. */
export function Segments<Value extends string>({ label, value, onChange, choices }: SegmentsProps<Value>) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
          {choice.count !== undefined && <span className="numbers"> {choice.count}</span>}
        </button>
      ))}
    </div>
  )
}
