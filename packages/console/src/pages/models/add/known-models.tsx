import { useId } from 'react'
import type { Shapes } from '../../../api/client.ts'
import type { DeviceMachine } from './device-machine.ts'
import { KnownModel } from './known-model.tsx'
import { groupModels, type ModelGroup } from './model-groups.ts'

type Known = Shapes['ListedModel']

interface KnownModelsProps {
  found: readonly Known[]
  /** The one that someone chooses a model for. */
  machine: DeviceMachine | undefined
  machines: readonly DeviceMachine[]
  /** Names. */
  compared: readonly string[]
  onCompare: (name: string) => void
  onChoose: (model: Known) => void
}

/** Well-known models, in groups by how well they fit. */
export function KnownModels(props: KnownModelsProps) {
  const { found, machine } = props
  if (found.length === 0)
    return <p className="soft">No listed model matches. Look it up to find it on the model hub.</p>
  return (
    <ul className="add-models" aria-label="Models">
      {groupModels(found, machine).map((group) => (
        <Group key={group.title} group={group} {...props} />
      ))}
    </ul>
  )
}

function Group({ group, machines, compared, onCompare, onChoose }: KnownModelsProps & { group: ModelGroup<Known> }) {
  const id = useId()
  return (
    <li>
      <h3 id={id} className="add-group small soft">
        {group.title}
      </h3>
      <ul aria-labelledby={id}>
        {group.models.map(({ model, estimate }) => (
          <KnownModel
            key={model.name}
            {...{ model, estimate, machines }}
            isCompared={compared.includes(model.name)}
            onCompare={() => onCompare(model.name)}
            onChoose={() => onChoose(model)}
          />
        ))}
      </ul>
    </li>
  )
}
