// The subcommands and flags that Hearth's commands know, read from their own help.

import { readFileSync } from 'node:fs'
import { runDevice } from '../../packages/device/src/commands/program.ts'
import { HELP as INSTALLER_HELP } from '../../packages/device/src/install/install-options.ts'
import { runSeal } from '../../packages/seal/src/commands/program.ts'
import { INSTALL_HELP as SEAL_INSTALLER_HELP } from '../../packages/seal/src/install/install-options.ts'
import { runAdmin } from '../../packages/gateway/src/admin/command-line.ts'
import { createProgram } from '../../packages/command-line/src/program/commands.ts'
import { PROGRAM } from '../../packages/hearth/src/commands/program.ts'
import { ROOT } from './read-pages.ts'

type Help = (words: readonly string[]) => Promise<string>

const { scripts, devDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  scripts: Record<string, string>
  devDependencies: Record<string, string>
}
/** What a checkout has for npx, which fetches and runs a stranger's package for any other name. */
export const PINNED: ReadonlySet<string> = new Set([...Object.keys(devDependencies), 'drizzle-kit'])
/** The empty one is npm itself. */
const NPM_OWN = new Set(['', 'ci', 'install', 'exec', 'ping', 'test', 'start', 'pack', 'sbom'])
const known = new Map<string, Promise<string>>()

/** The first unknown word in this line; undefined if everything in it is known, or if it is not one of our commands. */
export async function findUnknown(line: string): Promise<string | undefined> {
  for (const part of line.split(/\s*(?:&&|\|\||;|\|)\s*/)) {
    const unknown = await findInCommand(
      part
        .replace(/^\$ /, '')
        .replace(/^(?:\w+=\S* )+/, '')
        .split(/\s+/)
        .filter((word) => word !== ''),
    )
    if (unknown !== undefined) return unknown
  }
  return undefined
}

const HELPS: Readonly<Record<string, Help>> = {
  'hearth-device': helpOf(runDevice, '--home --config'),
  'hearth-seal': helpOf(runSeal, '--home'),
  admin: helpOf(runAdmin),
  hearth: hearthHelp,
}
const INSTALLERS = { 'hearth-device-install': INSTALLER_HELP, 'hearth-seal-install': SEAL_INSTALLER_HELP }
/** Whose commands follow these words of `hearth`. */
const OF_OTHERS: Readonly<Record<string, string>> = { device: 'hearth-device', seal: 'hearth-seal', admin: 'admin' }

async function findInCommand(words: readonly string[]): Promise<string | undefined> {
  const [program = '', first = '', ...more] = words
  if (Object.hasOwn(INSTALLERS, program))
    return compareFlags(program, words.slice(1), INSTALLERS[program as keyof typeof INSTALLERS])
  if (program === 'npx') return PINNED.has(first) ? undefined : `npx ${first}`
  if (program === 'hearth') return findInHearth(first, more)
  if (program !== 'npm')
    return program === 'hearth-device' || program === 'hearth-seal' ? compare(program, words.slice(1)) : undefined
  const rest = words.slice(words.indexOf('--') + 1)
  if (first === 'exec') return findInCommand(rest)
  if (first === 'start') return compare('hearth', ['start', ...(words.includes('--') ? rest : [])])
  if (first !== 'run') return NPM_OWN.has(first) ? undefined : `npm ${first}`
  const [script = ''] = more.filter((word) => !word.startsWith('-'))
  return scripts[script] === undefined ? `npm run ${script}` : undefined
}

async function findInHearth(name: string, words: readonly string[]): Promise<string | undefined> {
  const other = OF_OTHERS[name]
  if (other !== undefined) return compare(other, words)
  // A sentence about the command itself.
  return /^[a-z-]/.test(name) ? compare('hearth', [name, ...words]) : undefined
}

async function compare(program: string, words: readonly string[]): Promise<string | undefined> {
  let path: string[] = []
  let text = await ask(program, path)
  for (const word of words) {
    if (!hasCommands(text) || word.startsWith('-')) break
    if (!new RegExp(`^  ${RegExp.escape(word)}[ |]`, 'm').test(text)) return [program, ...path, word].join(' ')
    path = [...path, word]
    text = await ask(program, path)
  }
  return compareFlags([program, ...path].join(' '), words.slice(path.length), text)
}

function hasCommands(help: string): boolean {
  return /^Commands:$/m.test(help)
}

function compareFlags(command: string, words: readonly string[], help: string): string | undefined {
  const flags = words
    .filter((word) => /^--?[a-z]/.test(word) && word !== '--help')
    .map((word) => word.split('=', 1)[0]!)
  const unknown = flags.find((flag) => !new RegExp(`(^|[\\s,])${RegExp.escape(flag)}(?![\\w-])`, 'm').test(help))
  return unknown === undefined ? undefined : `${command} ${unknown}`
}

function ask(program: string, path: readonly string[]): Promise<string> {
  const key = [program, ...path].join(' ')
  const answer = known.get(key) ?? HELPS[program]!([...path, '--help'])
  known.set(key, answer)
  return answer
}

/** `shared` are the flags of every command, which only the main help lists. */
function helpOf(run: typeof runDevice | typeof runAdmin, shared = ''): Help {
  return async (words) => {
    let text = ''
    const output = { write: (more: string) => (text += more) }
    await run(words, { environment: {}, stdout: output, stderr: output })
    return words.length === 1 ? text : `${text}\n  ${shared}`
  }
}

async function hearthHelp([name = '']: readonly string[]): Promise<string> {
  let text = ''
  const output = { write: (more: string) => (text += more) }
  const program = createProgram(PROGRAM, { stdout: output, stderr: output })
  const command = program.commands.find((known) => known.name() === name) ?? program
  command.outputHelp()
  return text
}
