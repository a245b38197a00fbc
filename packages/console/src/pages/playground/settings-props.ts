import type { Shapes } from '../../api/client.ts'
import type { Faults, Settings } from './settings.ts'

/** What every part of the settings gets. */
export interface SettingsProps {
  settings: Settings
  faults: Faults
  model: Shapes['Model']
  onChange: (changes: Partial<Settings>) => void
}
