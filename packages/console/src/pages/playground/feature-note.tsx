import type { Shapes } from '../../api/client.ts'
import { isServed } from './model-choice.tsx'
import type { Feature } from './settings.ts'

/** True if devices serve the model but none supports the feature. Unknown, and so false, while no device serves it. */
export function lacks(model: Shapes['Model'], feature: Feature): boolean {
  return isServed(model) && !model.features.includes(feature)
}

/** Shown under a field that no device serving the model supports. */
export function FeatureNote({ model, feature }: { model: Shapes['Model']; feature: Feature }) {
  if (!lacks(model, feature)) return null
  return <span className="feature-note">No device serving this model supports this.</span>
}
