import type { Schemas } from '../../../api/client.ts'
import { plural } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { useModelState } from '../use-model-state.ts'

/** Models that devices have and nobody enabled. Beyond `most`, the list behind the dialog is the better place to look. */
export function AvailableModels({ models, most }: { models: readonly Schemas['Model'][]; most: number }) {
  const { enable } = useModelState()
  const offered = models.filter(({ state }) => state === 'offered')
  if (offered.length === 0) return null
  return (
    <section className="stack-small">
      <h3>Available on your devices</h3>
      <ul className="divided">
        {offered.slice(0, most).map(({ name, devices }) => (
          <li className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-7.5 items-center py-4.5" key={name}>
            <Name text={name} isCut />
            <span className="text-soft text-small">{plural(devices.length, 'device')}</span>
            <Button size="small" onClick={() => enable(name)} aria-label={`Enable ${showOddCharacters(name)}`}>
              Enable
            </Button>
          </li>
        ))}
      </ul>
      {offered.length > most && (
        <p className="text-soft text-small">{plural(offered.length - most, 'more model')} on the Models page.</p>
      )}
    </section>
  )
}
