import { X } from 'lucide-react'
import { devices as devicesQuery } from '../../../api/queries/devices.ts'
import { keyPage } from '../../../api/queries/keys.ts'
import { models as modelsQuery } from '../../../api/queries/models.ts'
import type { RequestFilter } from '../../../api/queries/requests.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Button } from '../../../parts/control/button.tsx'
import { SelectField, TextField } from '../../../parts/control/field.tsx'
import { useRead } from '../../../session/use-read.ts'

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

export function RequestFilters({ filter, onFilter }: FiltersProps) {
  const { data: keys } = useRead(keyPage, { sort: 'used' }, 0)
  const { data: models = [] } = useRead(modelsQuery)
  const { data: devices = [] } = useRead(devicesQuery)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <div className="request-filters flex flex-wrap items-end gap-7.5">
      <Choice label="Result" name="result" choices={RESULTS} filter={filter} onFilter={onFilter} />
      <Choice
        label="Key"
        name="key"
        choices={keys?.keys.map(({ id, name }) => [id, name])}
        filter={filter}
        onFilter={onFilter}
      />
      <Choice
        label="Model"
        name="model"
        choices={models.map(({ name }) => [name, name])}
        filter={filter}
        onFilter={onFilter}
      />
      <Choice
        label="Device"
        name="device"
        choices={devices.map(({ id, name }) => [id, name])}
        filter={filter}
        onFilter={onFilter}
      />
      <RequestId filter={filter} onFilter={onFilter} />
      {isFiltered && (
        <Button kind="quiet" icon={X} onClick={() => onFilter({})}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

function RequestId({ filter, onFilter }: FiltersProps) {
  const search = (typed: string) => {
    const { id: _, ...rest } = filter
    onFilter(typed === '' ? rest : { ...rest, id: typed })
  }
  return (
    <TextField label="Request ID" value={filter.id ?? ''} maxLength={128} onText={(typed) => search(typed.trim())} />
  )
}

interface ChoiceProps extends FiltersProps {
  label: string
  name: 'result' | 'key' | 'model' | 'device'
  choices: readonly (readonly [value: string, label: string])[] | undefined
}

function Choice({ label, name, choices = [], filter, onFilter }: ChoiceProps) {
  const value = filter[name]
  const shown = choices.slice(0, MOST)
  const isListed = value === undefined || shown.some(([one]) => one === value)
  return (
    <SelectField
      label={label}
      value={value ?? '\n'}
      onChange={({ target }) => {
        const { [name]: _, ...rest } = filter
        onFilter(target.value === '\n' ? rest : { ...rest, [name]: target.value })
      }}
      options={shown.map(([one, text]) => [one, showOddCharacters(text)])}
    >
      <option value={'\n'}>All</option>
      {!isListed && <option value={value}>{showOddCharacters(value)}</option>}
    </SelectField>
  )
}
