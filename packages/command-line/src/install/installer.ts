// What the installers of all programs share: the options that each has, and errors for people.

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { CommandError, describeError } from '../errors.ts'
import { readGatewayAddress } from '../gateway/gateway-address.ts'
import { openCompileCache } from '../program/compile-cache.ts'
import { guardMemory } from '../program/guard-memory.ts'
import type { Screen, Level, Output } from '../terminal/screen.ts'
import type { Program } from './program.ts'

export interface InstallTarget {
  gateway: URL
  home: string
  allowInsecure: boolean
  /** Changed code is installed without a question. */
  isYes: boolean
}

export const INSTALL_OPTIONS = {
  home: { type: 'string' },
  'allow-insecure': { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export function parseInstallWords<const Options extends ParseArgsOptionsConfig>(
  { command }: Program,
  words: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    throw new CommandError(describeError(error), `to see all options: ${command}-install --help`)
  }
}

export function readTarget(
  { command, homeVariable, homeFolder }: Program,
  values: { home?: string | undefined; 'allow-insecure'?: boolean | undefined; yes?: boolean | undefined },
  [address, ...more]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): InstallTarget {
  if (address === undefined || more.length > 0)
    throw new CommandError(
      'Give the address of your gateway, and only one',
      `for example: ${command}-install https://hearth.example.com`,
    )
  const allowInsecure = values['allow-insecure'] === true
  return {
    gateway: readGatewayAddress(address, { allowInsecure }),
    home: resolve(values.home ?? environment[homeVariable] ?? join(homedir(), homeFolder)),
    allowInsecure,
    isYes: values.yes === true,
  }
}

/** `read` says 'help' if that is all that somebody wants. */
export async function runInstaller<Options extends InstallTarget>(
  help: string,
  read: (words: readonly string[], environment: NodeJS.ProcessEnv) => Options | 'help',
  install: (options: Options, screen: Screen) => Promise<number>,
): Promise<void> {
  // npm, which it starts, keeps one too.
  openCompileCache()
  guardMemory()
  const screen = plainScreen(process.stdout)
  try {
    const options = read(process.argv.slice(2), process.env)
    if (options === 'help') process.stdout.write(`${help}\n`)
    else process.exitCode = await install(options, screen)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    screen.live(undefined)
    const complaints = plainScreen(process.stderr)
    complaints.line('bad', error.message)
    if (error.advice !== undefined) complaints.line('info', `→ ${error.advice}`)
    process.exitCode = 1
  }
}

const SIGNS: Record<Level, string> = { good: '✓', info: '·', warn: '!', bad: '✗' }
const CLEAR_LINE = '\r\u001B[2K'

/** Like the app's screen, but limited to what an old Node supports. */
function plainScreen(output: Output): Screen {
  const isTerminal = output.isTTY === true
  const clear = isTerminal ? CLEAR_LINE : ''
  return {
    line: (level, text) => output.write(`${clear}${SIGNS[level]} ${text.replace(/\p{Cc}+/gu, ' ')}\n`),
    live: (text) => isTerminal && output.write(clear + (text ?? '')),
  }
}
