// The flags of a command that are settings.

import { Option, type Command } from 'commander'
import { kebab, RETIRED, SETTING_NAMES, SETTINGS, type CommandName } from '../settings/settings.ts'

/** Adds the flags of the settings that belong to this command. */
export function withSettings(command: Command, name: CommandName): Command {
  for (const setting of SETTING_NAMES) {
    const { commands, placeholder, help, fallback } = SETTINGS[setting]
    if (!commands.includes(name)) continue
    const flag = kebab(setting)
    const words =
      placeholder === undefined ? (fallback === true ? `--no-${flag}` : `--${flag}`) : `--${flag} ${placeholder}`
    command.addOption(new Option(words, placeholder === undefined && fallback === true ? `don't ${help}` : help))
  }
  for (const [retired, { commands, placeholder }] of Object.entries(RETIRED))
    if (commands.some((other) => other === name))
      command.addOption(new Option(`--${kebab(retired)} ${placeholder}`).hideHelp())
  return command
}
