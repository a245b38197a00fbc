// The context every command gets: the state folder, the settings and the terminal.

import type { Command } from 'commander'
import type { CommandWorld } from '@hearth/command-line/program/commands'
import { findHome, START_DEVICE } from './find-home.ts'
import { loadSettingsFile, readSettings, type ReadSettings } from '../settings/read-settings.ts'
import { RETIRED, SETTING_NAMES } from '../settings/settings.ts'
import { stateFolder, type StateFolder } from '../state/folder.ts'
import { createLogScreen, createScreen, type Screen } from '@hearth/command-line/terminal/screen'

export interface Context extends ReadSettings {
  world: CommandWorld
  state: StateFolder
  screen: Screen
  isTerminal: boolean
  /** The command that starts the app. */
  startCommand: string
}

/** Throws CommandError if a setting is invalid. */
export function openContext(command: Command, world: CommandWorld): Context {
  const given = (name: string): string | boolean | undefined => {
    const value: unknown = command.optsWithGlobals()[name]
    const isGiven = command.getOptionValueSourceWithGlobals(name) === 'cli'
    return isGiven && (typeof value === 'string' || typeof value === 'boolean') ? value : undefined
  }
  const { environment } = world
  const chosen = text(given('home')) ?? text(environment['HEARTH_DEVICE_HOME'])
  const found =
    chosen === undefined ? findHome(command.name(), environment) : { home: chosen, startCommand: START_DEVICE }
  if (found.note !== undefined) createScreen(world.stderr).line('info', found.note)
  const state = stateFolder(found.home)
  const configured = text(given('config')) ?? text(environment['HEARTH_DEVICE_CONFIG'])
  const file = loadSettingsFile(state.path, configured)
  const flags = Object.fromEntries([...SETTING_NAMES, ...Object.keys(RETIRED)].map((name) => [name, given(name)]))
  const read = readSettings({ flags, environment, file })
  for (const note of read.notes) createScreen(world.stderr).line('warn', note)
  return {
    world,
    state,
    startCommand: found.startCommand,
    ...read,
    screen: command.name() === 'start' ? createLogScreen(world.stdout, () => new Date()) : createScreen(world.stdout),
    isTerminal: world.stdout.isTTY === true,
  }
}

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
