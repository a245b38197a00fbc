import { X } from 'lucide-react'
import type { paths } from '../../../api/schema.d.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Button } from '../../../parts/control/button.tsx'
import { SelectField, TextField } from '../../../parts/control/field.tsx'
import { useRead } from '../../../session/use-read.ts'

type RequestQuery = NonNullable<paths['/organizations/{organization}/requests']['get']['parameters']['query']>
export type RequestFilter = Omit<RequestQuery, 'before' | 'limit'>

interface FiltersProps {
  filter: RequestFilter
  onFilter: (filter: RequestFilter) => void
}

const RESULTS = [
  ['answered', 'Answered'],
  ['failed', 'Failed'],
  ['canceled', 'Canceled'],
] as const

/** A longer list is no choice any more. */
const MOST = 200

/** The value of the choice that filters nothing. */
const ALL = '\n'

export function RequestFilters({ filter, onFilter }: FiltersProps) {
  const keys = useRead('/keys', { query: { sort: 'used', limit: 100 } }).data?.keys ?? []
  const models = useRead('/models').data?.models ?? []
  const devices = useRead('/devices').data?.devices ?? []
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  function set(name: keyof RequestFilter, value: string | undefined): void {
    const { [name]: _, ...rest } = filter
    onFilter(value === undefined ? rest : { ...rest, [name]: value })
  }
  const choices: [keyof RequestFilter, string, readonly (readonly [value: string, label: string])[]][] = [
    ['result', 'Result', RESULTS],
    ['key', 'Key', keys.map(({ id, name }) => [id, name])],
    ['model', 'Model', models.map(({ name }) => [name, name])],
    ['device', 'Device', devices.map(({ id, name }) => [id, name])],
  ]
  return (
    <div className="flex flex-wrap items-end gap-7.5 [&>.field]:flex-[0_1_11rem] [&>.field]:min-w-80">
      {choices.map(([name, label, all]) => {
        const value = filter[name]
        const shown = all.slice(0, MOST)
        return (
          <SelectField
            key={name}
            label={label}
            value={value ?? ALL}
            onText={(chosen) => set(name, chosen === ALL ? undefined : chosen)}
            options={shown.map(([one, text]) => [one, showOddCharacters(text)])}
          >
            <option value={ALL}>All</option>
            {value !== undefined && shown.every(([one]) => one !== value) && (
              <option value={value}>{showOddCharacters(value)}</option>
            )}
          </SelectField>
        )
      })}
      <TextField
        label="Request ID"
        value={filter.id ?? ''}
        maxLength={128}
        onText={(typed) => set('id', typed.trim() || undefined)}
      />
      {isFiltered && (
        <Button kind="quiet" icon={X} onClick={() => onFilter({})}>
          Clear filters
        </Button>
      )}
    </div>
  )
}
