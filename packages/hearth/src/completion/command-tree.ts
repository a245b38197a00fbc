// All commands with their flags, read from the tables that print the help.

import type { Command } from 'commander'
import { createProgram } from '@hearth/command-line/program/commands'
import { PROGRAM as DEVICE } from '@hearth/device/commands'
import { PROGRAM as ADMIN } from '@hearth/gateway/admin'
import { PROGRAM as SEAL } from '@hearth/seal/commands'
import { PROGRAM as HEARTH } from '../commands/program.ts'

const MOST_SUGGESTED = 3

export interface Completion {
  word: string
  help: string
}

/** What can follow each command, by the words that lead to it: `device models` → `pull`, `list`, … */
export type CommandTree = ReadonlyMap<string, readonly Completion[]>

export function readCommandTree(): CommandTree {
  const tree = new Map<string, Completion[]>()
  addCommand(tree, '', createProgram(HEARTH))
  addCommand(tree, 'device', createProgram(DEVICE))
  addCommand(tree, 'seal', createProgram(SEAL))
  addCommand(tree, 'admin', createProgram(ADMIN))
  return tree
}

/** The commands that end in as many of these words as possible: of `key list`, `admin key list`. */
export function pathsEndingIn(words: readonly string[]): string[] {
  const paths = [...readCommandTree().keys()]
  for (let count = words.length; count > 0; count--) {
    const end = ` ${words.slice(0, count).join(' ')}`
    const found = paths.filter((path) => path.endsWith(end))
    if (found.length > 0) return found.length <= MOST_SUGGESTED ? found : []
  }
  return []
}

function addCommand(tree: Map<string, Completion[]>, path: string, command: Command): void {
  const commands = command.commands.map((child) => ({
    word: child.name(),
    help: child.summary() || child.description(),
  }))
  const options = command.options
    .filter(({ hidden, long }) => !hidden && long)
    .map(({ long = '', description }) => ({ word: long, help: description }))
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  const help = { word: '--help', help: 'show help' }
  tree.set(path, [...commands, ...choices.map((word) => ({ word, help: '' })), ...options, help])
  for (const child of command.commands) addCommand(tree, `${path} ${child.name()}`.trim(), child)
}
