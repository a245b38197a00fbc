// docs/commands.md: the help of every command, as the commands print it.

import { runProgram } from '../../packages/device/src/commands/program.ts'
import { HELP as SEAL_INSTALLER_HELP } from '../../packages/seal/src/install/install-options.ts'
import { runProgram as runSeal } from '../../packages/seal/src/commands/program.ts'
import { HELP as INSTALLER_HELP } from '../../packages/device/src/install/install-options.ts'
import { runCommandLine } from '../../packages/gateway/src/admin/command-line.ts'
import { createProgram, OWN_NAMES } from '../../packages/hearth/src/program/program.ts'
import { HELP as START_HELP } from '../../packages/hearth/src/start/options.ts'
import { codeBlock, page } from './markdown.ts'

type Help = (words: readonly string[]) => Promise<string>

export async function commandsPage(): Promise<string> {
  return page([
    '# Commands',
    'The help of every command. Each prints its own with `--help`. The settings of `npm run gateway` are in [configuration](configuration.md).',
    '## hearth',
    codeBlock(hearthHelp()),
    '## npm start',
    codeBlock(START_HELP),
    ...OWN_NAMES.flatMap((name) => [`## hearth ${name}`, codeBlock(hearthHelp(name))]),
    '## hearth-device-install',
    codeBlock(INSTALLER_HELP),
    'On a machine with all of Hearth, it is `hearth device`.',
    ...(await describeTree('hearth-device', deviceHelp)),
    '## hearth-seal-install',
    codeBlock(SEAL_INSTALLER_HELP),
    'On a machine with all of Hearth, it is `hearth seal`.',
    ...(await describeTree('hearth-seal', sealHelp)),
    ...(await describeTree('hearth admin', adminHelp)),
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
  const program = createProgram({ stdout: output, stderr: output, act: async () => undefined })
  const command = program.commands.find((known) => known.name() === name) ?? program
  command.outputHelp()
  return text
}

async function deviceHelp(words: readonly string[]): Promise<string> {
  return printed((output) => runProgram(words, { environment: {}, stdout: output, stderr: output }))
}

async function sealHelp(words: readonly string[]): Promise<string> {
  return printed((output) => runSeal(words, { environment: {}, stdout: output, stderr: output }))
}

async function printed(run: (output: { write(text: string): void }) => Promise<unknown>): Promise<string> {
  let text = ''
  await run({ write: (more) => void (text += more) })
  return text
}

async function adminHelp(words: readonly string[]): Promise<string> {
  const lines: string[] = []
  const keep = (line: string) => void lines.push(line)
  await runCommandLine(words, { environment: {}, print: keep, printError: keep })
  return lines.join('\n')
}
