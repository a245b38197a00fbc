// The subcommands and flags that Hearth's commands know, read from their own help.

import { readFileSync } from 'node:fs'
import { runDevice } from '../../packages/device/src/commands/program.ts'
import { HELP as INSTALLER_HELP } from '../../packages/device/src/install/install-options.ts'
import { runSeal } from '../../packages/seal/src/commands/program.ts'
import { HELP as SEAL_INSTALLER_HELP } from '../../packages/seal/src/install/install-options.ts'
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
const NPM_OWN = new Set(['ci', 'install', 'exec', 'ping', 'test', 'start', 'pack'])
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

async function findInCommand(words: readonly string[]): Promise<string | undefined> {
  const [program, first = '', ...more] = words
  if (program === 'hearth-device') return compare('hearth-device', words.slice(1), deviceHelp)
  if (program === 'hearth-device-install') return compareFlags(program, words.slice(1), INSTALLER_HELP)
  if (program === 'hearth-seal') return compare('hearth-seal', words.slice(1), sealHelp)
  if (program === 'hearth-seal-install') return compareFlags(program, words.slice(1), SEAL_INSTALLER_HELP)
  if (program === 'npx') return PINNED.has(first) ? undefined : `npx ${first}`
  if (program === 'hearth') return findInHearth(first, more)
  if (program !== 'npm') return undefined
  const rest = words.slice(words.indexOf('--') + 1)
  if (first === 'exec') return findInCommand(rest)
  if (first === 'start') return compare('hearth', ['start', ...(words.includes('--') ? rest : [])], hearthHelp)
  if (first !== 'run') return NPM_OWN.has(first) ? undefined : `npm ${first}`
  const [script = ''] = more.filter((word) => !word.startsWith('-'))
  return scripts[script] === undefined ? `npm run ${script}` : undefined
}

async function findInHearth(name: string, words: readonly string[]): Promise<string | undefined> {
  if (name === 'device') return compare('hearth-device', words, deviceHelp)
  if (name === 'seal') return compare('hearth-seal', words, sealHelp)
  if (name === 'admin') return compare('admin', words, adminHelp)
  // A sentence about the command itself.
  return /^[a-z-]/.test(name) ? compare('hearth', [name, ...words], hearthHelp) : undefined
}

async function compare(program: string, words: readonly string[], help: Help): Promise<string | undefined> {
  let path: string[] = []
  let text = await ask(program, path, help)
  for (const word of words) {
    if (!hasCommands(text) || word.startsWith('-')) break
    if (!new RegExp(`^  ${RegExp.escape(word)}[ |]`, 'm').test(text)) return [program, ...path, word].join(' ')
    path = [...path, word]
    text = await ask(program, path, help)
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

function ask(program: string, path: readonly string[], help: Help): Promise<string> {
  const key = [program, ...path].join(' ')
  const answer = known.get(key) ?? help([...path, '--help'])
  known.set(key, answer)
  return answer
}

async function deviceHelp(words: readonly string[]): Promise<string> {
  let text = ''
  const output = { write: (more: string) => (text += more) }
  await runDevice(words, { environment: {}, stdout: output, stderr: output })
  // Flags of every command are listed only once, in the main help.
  return words.length === 1 ? text : `${text}\n  --home --config`
}

async function hearthHelp([name = '']: readonly string[]): Promise<string> {
  let text = ''
  const output = { write: (more: string) => (text += more) }
  const program = createProgram(PROGRAM, { stdout: output, stderr: output })
  const command = program.commands.find((known) => known.name() === name) ?? program
  command.outputHelp()
  return text
}

async function sealHelp(words: readonly string[]): Promise<string> {
  let text = ''
  const output = { write: (more: string) => (text += more) }
  await runSeal(words, { environment: {}, stdout: output, stderr: output })
  return words.length === 1 ? text : `${text}\n  --home`
}

async function adminHelp(words: readonly string[]): Promise<string> {
  let text = ''
  const output = { write: (more: string) => (text += more) }
  await runAdmin(words, { environment: {}, stdout: output, stderr: output })
  return text
}
