import type { Model } from '../models/lane-model.ts'
import type { Faults, Settings } from './settings.ts'

/** Props shared by all parts of the settings panel. */
export interface SettingsProps {
  settings: Settings
  faults: Faults
  /** The models that get the request: two while models are compared, none if the chosen one is gone. */
  models: readonly Model[]
  onChange: (changes: Partial<Settings>) => void
}
