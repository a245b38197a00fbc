// The context every command gets: the state folder, the settings and the terminal.

import type { Command } from 'commander'
import type { Input } from '@hearth/command-line/terminal/confirm'
import { createScreen, type Output, type Screen } from '@hearth/command-line/terminal/screen'
import { readSettingTexts, type SettingTexts } from '../settings/settings.ts'
import { sealFolder, type SealFolder } from '../state/folder.ts'

export interface CommandWorld {
  environment: Readonly<Record<string, string | undefined>>
  /** Absent where nobody can answer a question. */
  stdin?: Input
  stdout: Output
  stderr: Output
}

export interface Context {
  world: CommandWorld
  folder: SealFolder
  texts: SettingTexts
  screen: Screen
}

/** Returns the exit code, if it isn't 0. */
export type Action = (context: Context) => Promise<number | void> | number | void

/** Runs a command with its context. */
export type Run = (command: Command, action: Action) => Promise<void>

interface Flags {
  home?: string
  gateway?: string
  key?: string
  seal?: string
  allowInsecure?: true
}

export function openContext(command: Command, world: CommandWorld): Context {
  const { home, gateway, key, seal, allowInsecure } = command.optsWithGlobals<Flags>()
  const folder = sealFolder(home ?? (world.environment['HEARTH_SEAL_HOME'] || undefined))
  const flags = {
    ...(gateway !== undefined && { gateway }),
    ...(key !== undefined && { apiKey: key }),
    ...(seal !== undefined && { seal }),
    ...(allowInsecure && { allowInsecure }),
  }
  const texts = readSettingTexts(flags, world.environment, folder)
  return { world, folder, texts, screen: createScreen(world.stdout) }
}
