// Flags that several commands have: settings, and JSON for scripts.

import type { Given } from '@hearth/command-line/program/commands'
import { Option } from 'commander'
import { kebab, RETIRED, SETTING_NAMES, SETTINGS, type CommandName } from '../settings/settings.ts'

const NO_UPSTREAM: Given = ['--no-upstream', 'serve no local server, and look for none']

export const PRINT_JSON = ['--json', 'print JSON'] as const

/** The flags of the settings that belong to this command. */
export function settingsOf(name: CommandName): (Given | Option)[] {
  return [...currentOf(name), ...retiredOf(name)]
}

function currentOf(name: CommandName): Given[] {
  return SETTING_NAMES.filter((setting) => SETTINGS[setting].commands.includes(name)).flatMap((setting): Given[] => {
    const { placeholder, help, fallback } = SETTINGS[setting]
    const flag = kebab(setting)
    if (setting === 'upstream') return [[`--${flag} ${placeholder}`, help], NO_UPSTREAM]
    if (placeholder !== undefined) return [[`--${flag} ${placeholder}`, help]]
    return [fallback === true ? [`--no-${flag}`, `don't ${help}`] : [`--${flag}`, help]]
  })
}

/** Still read, so that whoever gives one learns why it is gone. */
function retiredOf(name: CommandName): Option[] {
  return Object.entries(RETIRED)
    .filter(([, { commands }]) => commands.some((other) => other === name))
    .map(([retired, { placeholder }]) => new Option(`--${kebab(retired)} ${placeholder}`).hideHelp())
}
