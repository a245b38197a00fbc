import type { Feature } from '../../../api/features.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { isServed, type Model } from './lane-model.ts'

/** The models that devices serve without this feature. Nothing is known about a model while no device serves it. */
export function modelsWithout(models: readonly Model[], feature: Feature): Model[] {
  return models.filter((model) => isServed(model) && !model.features.includes(feature))
}

/** Shown under a field that no device serving the model supports. */
export function FeatureNote({ models, feature }: { models: readonly Model[]; feature: Feature }) {
  const [lacking] = modelsWithout(models, feature)
  if (lacking === undefined) return null
  return (
    <span className="feature-note">
      No device serving {models.length === 1 ? 'this model' : showOddCharacters(lacking.name)} supports this.
    </span>
  )
}
