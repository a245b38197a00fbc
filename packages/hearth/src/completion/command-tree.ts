// All commands with their flags, read from the tables that print the help.

import { createProgram as createDevice } from '@hearth/device/commands'
import { createProgram as createAdmin } from '@hearth/gateway/admin'
import { createProgram as createSeal } from '@hearth/seal/commands'
import { OWN_COMMANDS, SHELLS, SUMMARIES, type CommandEntry } from '../help/command-table.ts'
import { FLAGS } from '../start/options.ts'

export interface Completion {
  word: string
  help: string
}

/** What can follow each command, by the words that lead to it: `device models` → `pull`, `list`, … */
export type CommandTree = ReadonlyMap<string, readonly Completion[]>

/** The part of commander's commands that completions need. */
interface Command {
  name(): string
  summary(): string
  description(): string
  readonly options: readonly { long?: string; description: string; hidden: boolean }[]
  readonly commands: readonly Command[]
}

export function readCommandTree(): CommandTree {
  const tree = new Map<string, Completion[]>()
  tree.set(
    '',
    SUMMARIES.map(([word, help]) => ({ word, help })),
  )
  tree.set('start', toFlags(FLAGS.map(([flag, , help]) => [flag, help])))
  for (const command of OWN_COMMANDS) tree.set(command.name, ownWords(command))
  const silent = { write: () => true }
  const world = { environment: {}, stdout: silent, stderr: silent }
  addCommand(
    tree,
    'device',
    createDevice(world, async () => undefined),
  )
  addCommand(
    tree,
    'seal',
    createSeal(world, async () => undefined),
  )
  addCommand(tree, 'admin', createAdmin({ environment: {}, print: () => undefined, printError: () => undefined }))
  return tree
}

function ownWords({ name, flags }: CommandEntry): Completion[] {
  const shells = name === 'completion' ? SHELLS.map((word) => ({ word, help: '' })) : []
  return [...shells, ...toFlags(flags)]
}

function addCommand(tree: Map<string, Completion[]>, path: string, command: Command): void {
  const commands = command.commands.map((child) => ({
    word: child.name(),
    help: child.summary() || child.description(),
  }))
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ long = '', description }) => [long, description] as const)
  tree.set(path, [...commands, ...toFlags(options)])
  for (const child of command.commands) addCommand(tree, `${path} ${child.name()}`, child)
}

function toFlags(flags: readonly (readonly [flag: string, help: string])[]): Completion[] {
  const named = flags.filter(([flag]) => flag !== '').map(([flag, help]) => ({ word: flag.split(' ', 1).join(), help }))
  return [...named, { word: '--help', help: 'show help' }]
}
