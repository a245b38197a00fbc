import type { ReactNode } from 'react'
import { SelectField } from '../../../parts/control/field.tsx'
import { LEVELS, type Level } from './settings.ts'

interface LevelFieldProps {
  label: string
  hint?: ReactNode
  value: Level | ''
  onChange: (level: Level | '') => void
}

const TITLES: Record<Level, string> = { low: 'Low', medium: 'Medium', high: 'High' }

export function LevelField({ label, hint, value, onChange }: LevelFieldProps) {
  return (
    <SelectField
      label={label}
      hint={hint}
      value={value}
      onChange={({ target }) => onChange(LEVELS.find((level) => level === target.value) ?? '')}
      options={[['', 'Default'], ...LEVELS.map((level) => [level, TITLES[level]] as const)]}
    />
  )
}
