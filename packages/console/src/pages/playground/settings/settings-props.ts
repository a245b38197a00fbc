import type { Shapes } from '../../../api/client.ts'
import type { Model } from '../models/lane-model.ts'
import type { Faults, Settings } from './settings.ts'

export type Defaults = Record<'own' | 'recommended', Shapes['ModelDefaults']>

/** Props shared by all parts of the settings panel. */
export interface SettingsProps {
  settings: Settings
  faults: Faults
  /** The models that get the request: two while models are compared, none if the chosen one is gone. */
  models: readonly Model[]
  /** Undefined while it is unknown, and while two models are compared: each has its own. */
  defaults: Defaults | undefined
  onChange: (changes: Partial<Settings>) => void
}
