import type { Shapes } from '../../api/client.ts'
import { isServed } from './model-choice.tsx'
import type { Feature } from './settings.ts'

/** True when devices serve the model, and none of them can do this. While none serves it, nobody knows. */
export function lacks(model: Shapes['Model'], feature: Feature): boolean {
  return isServed(model) && !model.features.includes(feature)
}

/** Said below a field that the devices of the model do not support. */
export function FeatureNote({ model, feature }: { model: Shapes['Model']; feature: Feature }) {
  if (!lacks(model, feature)) return null
  return <span className="feature-note">No device that serves this model supports it.</span>
}
