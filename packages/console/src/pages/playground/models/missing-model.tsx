import { Link } from '@tanstack/react-router'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { useSession } from '../../../session/session.ts'
import { suggestModel, type LaneModel, type Model } from './lane-model.ts'

const REASONS = {
  disabled: 'is disabled. Requests for it fail.',
  adding: 'is being added. You can chat with it once a device has downloaded it.',
  offered: 'is not enabled. Requests for it fail.',
  unknown: 'is not one of your models. It may have been removed.',
}

interface MissingModelProps {
  chosen: Extract<LaneModel, { kind: 'missing' }>
  models: readonly Model[]
  onChoose: (name: string) => void
}

/** Says why the chosen model can't be asked, and offers another one. */
export function MissingModel({ chosen: { name, state }, models, onChoose }: MissingModelProps) {
  const { isAdmin } = useSession()
  const other = suggestModel(models)
  return (
    <div className="model-missing" role="alert">
      <p>
        <Name text={name} isStrong /> {REASONS[state]}
      </p>
      <div className="row">
        <Button size="small" onClick={() => onChoose(other.name)}>
          Use {showOddCharacters(other.name)}
        </Button>
        {isAdmin && (
          <Link to="/models" search={state === 'unknown' ? {} : { open: name }} className="button button-small">
            Go to Models
          </Link>
        )}
      </div>
    </div>
  )
}
