// docs/commands.md: the help of every command, as the commands print it.

import { createProgram, type CommandWorld } from '../../packages/command-line/src/program/commands.ts'
import { runDevice } from '../../packages/device/src/commands/program.ts'
import { INSTALL_HELP as SEAL_INSTALLER_HELP } from '../../packages/seal/src/install/install-options.ts'
import { runSeal } from '../../packages/seal/src/commands/program.ts'
import { HELP as INSTALLER_HELP } from '../../packages/device/src/install/install-options.ts'
import { runAdmin } from '../../packages/gateway/src/admin/command-line.ts'
import { OWN_NAMES, PROGRAM as HEARTH } from '../../packages/hearth/src/commands/program.ts'
import { codeBlock, page } from './markdown.ts'

type Help = (words: readonly string[]) => Promise<string>

export async function commandsPage(): Promise<string> {
  return page([
    '# Commands',
    'The help of every command. Each prints its own with `--help`. The settings of `npm run gateway` are in [configuration](configuration.md).',
    '## hearth',
    codeBlock(hearthHelp()),
    ...OWN_NAMES.flatMap((name) => [`## hearth ${name}`, codeBlock(hearthHelp(name))]),
    '## hearth-device-install',
    codeBlock(INSTALLER_HELP),
    'On a machine with all of Hearth, it is `hearth device`.',
    ...(await describeTree('hearth-device', helpOf(runDevice))),
    '## hearth-seal-install',
    codeBlock(SEAL_INSTALLER_HELP),
    'On a machine with all of Hearth, it is `hearth seal`.',
    ...(await describeTree('hearth-seal', helpOf(runSeal))),
    ...(await describeTree('hearth admin', helpOf(runAdmin))),
  ])
}

async function describeTree(program: string, help: Help, path: readonly string[] = []): Promise<string[]> {
  const text = await help([...path, '--help'])
  const blocks = [`## ${[program, ...path].join(' ')}`, codeBlock(text)]
  for (const command of commandsIn(text)) blocks.push(...(await describeTree(program, help, [...path, command])))
  return blocks
}

function commandsIn(help: string): string[] {
  const [, listed = ''] = /^Commands:\n((?: {2}.*\n?)+)/m.exec(help) ?? []
  return [...listed.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name]) => (name === 'help' ? [] : (name ?? [])))
}

/** Of one of its commands, or of all. */
function hearthHelp(name?: string): string {
  let text = ''
  const output = { write: (more: string) => void (text += more) }
  const program = createProgram(HEARTH, { stdout: output, stderr: output })
  const command = program.commands.find((known) => known.name() === name) ?? program
  command.outputHelp()
  return text
}

function helpOf(run: (words: readonly string[], world: CommandWorld) => Promise<unknown>): Help {
  return async (words) => {
    let text = ''
    const output = { write: (more: string) => void (text += more) }
    await run(words, { environment: {}, stdout: output, stderr: output })
    return text
  }
}
