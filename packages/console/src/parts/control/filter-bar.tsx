import { Search } from 'lucide-react'
import type { ReactNode } from 'react'

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
    <div className="row gap-7.5 touch:gap-5">
      <div className="relative flex-[1_1_14rem] max-w-240 touch:basis-full touch:max-w-none">
        <Search
          size={16}
          className="absolute left-7 top-1/2 -translate-y-1/2 text-faint pointer-events-none"
          aria-hidden
        />
        <input
          type="search"
          className="input peer pl-22 pr-26"
          data-filter
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <kbd
          className="absolute right-5.5 top-1/2 -translate-y-1/2 pointer-events-none peer-focus:hidden peer-not-placeholder-shown:hidden touch:hidden"
          aria-hidden
        >
          /
        </kbd>
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
    // Where there is little room, one line that scrolls, so that filters don't push the list down.
    <div
      className="inline-flex flex-wrap p-[2px] bg-sunken border border-line rounded touch:flex-nowrap touch:max-w-full touch:overflow-x-auto touch:[scrollbar-width:none]"
      role="group"
      aria-label={label}
    >
      {choices.map((choice) => (
        <button
          className="min-h-18.5 px-7.5 text-soft rounded-[7px] touch:flex-none touch:min-h-21 hover:text-ink aria-pressed:text-ink aria-pressed:font-medium aria-pressed:bg-surface aria-pressed:ring aria-pressed:ring-line-strong"
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
          {choice.count !== undefined && <span className="text-faint font-normal tabular-nums"> {choice.count}</span>}
        </button>
      ))}
    </div>
  )
}
