// The settings of the device app, for docs/device.md.

import { environmentName, kebab, SETTING_NAMES, SETTINGS } from '../../packages/device/src/settings/settings.ts'
import { list } from './markdown.ts'

export function deviceSettings(): string {
  return list(
    SETTING_NAMES.map((name) => {
      const { help, placeholder, fallback } = SETTINGS[name]
      const isOn = placeholder === undefined && fallback
      return `\`${kebab(name)}\` or \`${environmentName(name)}\`: ${help}${isOn ? ` (\`--no-${kebab(name)}\` turns it off)` : ''}`
    }),
  )
}
