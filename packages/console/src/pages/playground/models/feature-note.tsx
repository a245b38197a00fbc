import type { Feature } from '../../../api/features.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { isServed, type Model } from './chosen-model.ts'

/** The models that devices serve without this feature. Nothing is known about a model while no device serves it. */
export function modelsWithout(models: readonly Model[], feature: Feature): Model[] {
  return models.filter((model) => isServed(model) && !model.features.includes(feature))
}

interface FeatureNoteProps {
  models: readonly Model[]
  feature: Feature
  /** What the field is for. */
  children?: string | undefined
}

/** The hint of a field, which says if no device that serves the model supports it. */
export function FeatureNote({ models, feature, children = '' }: FeatureNoteProps) {
  const [lacking] = modelsWithout(models, feature)
  if (lacking === undefined) return children
  return (
    <>
      {children}{' '}
      <span className="text-warn">
        No device serving {models.length === 1 ? 'this model' : showOddCharacters(lacking.name)} supports this.
      </span>
    </>
  )
}
