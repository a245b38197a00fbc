import type { Shapes } from '../../api/client.ts'
import type { Faults, Settings } from './settings.ts'

/** Props shared by all parts of the settings panel. */
export interface SettingsProps {
  settings: Settings
  faults: Faults
  model: Shapes['Model']
  onChange: (changes: Partial<Settings>) => void
}
