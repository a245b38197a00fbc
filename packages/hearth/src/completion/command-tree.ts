// All commands with their flags, read from the tables that print the help.

import { createProgram as createDevice } from '@hearth/device/commands'
import { createProgram as createAdmin } from '@hearth/gateway/admin'
import { createProgram as createSeal } from '@hearth/seal/commands'
import { createProgram as createHearth } from '../program/program.ts'

const MOST_SUGGESTED = 3

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
  readonly registeredArguments: readonly { argChoices?: readonly string[] }[]
  readonly commands: readonly Command[]
}

export function readCommandTree(): CommandTree {
  const tree = new Map<string, Completion[]>()
  const silent = { write: () => true }
  const world = { environment: {}, stdout: silent, stderr: silent }
  addCommand(tree, '', createHearth({ ...world, act: async () => undefined }))
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
    .filter(({ hidden }) => !hidden)
    .map(({ long = '', description }) => [long, description] as const)
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  tree.set(path, [...commands, ...choices.map((word) => ({ word, help: '' })), ...toFlags(options)])
  for (const child of command.commands) addCommand(tree, `${path} ${child.name()}`.trim(), child)
}

function toFlags(flags: readonly (readonly [flag: string, help: string])[]): Completion[] {
  const named = flags.filter(([flag]) => flag !== '').map(([flag, help]) => ({ word: flag.split(' ', 1).join(), help }))
  return [...named, { word: '--help', help: 'show help' }]
}
