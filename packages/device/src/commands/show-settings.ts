// Prints the settings in effect on this machine, and where each one comes from.

import {
  environmentName,
  kebab,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
} from '../settings/settings.ts'
import { formatTable } from '../terminal/table.ts'
import type { Context } from './context.ts'

export function showSettings({ settings, origins, state, world }: Context): void {
  const rows = SETTING_NAMES.map((name) => [kebab(name), show(name, settings), origins[name], environmentName(name)])
  world.stdout.write(`State folder: ${state.path}\n\n`)
  world.stdout.write(formatTable([['SETTING', 'VALUE', 'FROM', 'ENVIRONMENT'], ...rows]))
}

function show(name: SettingName, settings: Settings): string {
  const value = settings[name]
  const definition = SETTINGS[name] as { show?: (value: unknown) => string; unset?: string }
  if (value === undefined) return definition.unset ?? 'not set'
  const text = definition.show?.(value) ?? (typeof value === 'string' ? value : JSON.stringify(value))
  return text === '' ? 'none' : text
}
