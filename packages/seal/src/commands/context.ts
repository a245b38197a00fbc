// The context every command gets: the state folder, the settings and the terminal.

import type { Command } from 'commander'
import type { CommandWorld } from '@hearth/command-line/program/commands'
import { createScreen, type Screen } from '@hearth/command-line/terminal/screen'
import { readSettingTexts, type SettingTexts } from '../settings/settings.ts'
import { sealFolder, type SealFolder } from '../state/folder.ts'

export interface Context {
  world: CommandWorld
  folder: SealFolder
  texts: SettingTexts
  screen: Screen
}

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
