// The settings as they hold on this machine, and where each comes from.

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
  world.stdout.write(`state folder: ${state.path}\n\n`)
  world.stdout.write(formatTable([['SETTING', 'VALUE', 'FROM', 'ENVIRONMENT'], ...rows]))
}

function show(name: SettingName, settings: Settings): string {
  const value = settings[name]
  if (value === undefined) return 'automatic'
  const definition = SETTINGS[name] as { show?: (value: unknown) => string }
  const text = definition.show?.(value) ?? (typeof value === 'string' ? value : JSON.stringify(value))
  return text === '' ? 'none' : text
}
