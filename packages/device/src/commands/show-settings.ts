// Prints the settings in effect on this machine, and where each one comes from.

import {
  environmentName,
  kebab,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
} from '../settings/settings.ts'
import { formatTable } from '@hearth/command-line/terminal/table'
import type { Context } from './context.ts'

export function showSettings({ isJson }: { isJson: boolean }, { settings, origins, state, world }: Context): void {
  const rows = SETTING_NAMES.map((name) => ({
    name: kebab(name),
    value: show(name, settings),
    origin: origins[name],
    variable: environmentName(name),
  }))
  if (isJson) return void world.stdout.write(`${JSON.stringify({ stateFolder: state.path, settings: rows })}\n`)
  world.stdout.write(`State folder: ${state.path}\n\n`)
  const table = rows.map(({ name, value, origin, variable }) => [name, value, origin, variable])
  world.stdout.write(formatTable([['SETTING', 'VALUE', 'FROM', 'ENVIRONMENT'], ...table]))
}

function show(name: SettingName, settings: Settings): string {
  const value = settings[name]
  const definition = SETTINGS[name] as { show?: (value: unknown) => string; unset?: string }
  if (value === undefined) return definition.unset ?? 'not set'
  const text = definition.show?.(value) ?? (typeof value === 'string' ? value : JSON.stringify(value))
  return text === '' ? 'none' : text
}
