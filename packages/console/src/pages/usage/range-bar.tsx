import { Segments } from '../../parts/control/filter-bar.tsx'
import { TextField } from '../../parts/control/field.tsx'
import { errorIn, type CustomDays, type RangeName } from './range.ts'

export interface ChosenRange extends CustomDays {
  name: RangeName
}

interface RangeBarProps {
  chosen: ChosenRange
  onChoose: (chosen: ChosenRange) => void
}

const PERIODS = [
  { value: 'day', label: '24 hours' },
  { value: 'week', label: '7 days' },
  { value: 'month', label: '30 days' },
  { value: 'custom', label: 'Custom' },
] as const

export function RangeBar({ chosen, onChoose }: RangeBarProps) {
  return (
    <div className="grid gap-7.5">
      <Segments
        label="Period"
        value={chosen.name}
        onChange={(name) => onChoose({ ...chosen, name })}
        choices={PERIODS}
      />
      {chosen.name === 'custom' && (
        <div className="grid grid-cols-[repeat(2,minmax(0,11rem))] gap-7.5 items-start">
          <TextField
            type="date"
            label="First day"
            value={chosen.first}
            onText={(first) => onChoose({ ...chosen, first })}
          />
          <TextField
            type="date"
            label="Last day"
            error={errorIn(chosen)}
            value={chosen.last}
            onText={(last) => onChoose({ ...chosen, last })}
          />
        </div>
      )}
    </div>
  )
}
