// The commands of hearth-seal. Each has a file of its own, loaded only when it runs.

import type { Command } from 'commander'
import {
  runProgram,
  type CommandEntry,
  type CommandWorld,
  type ProgramEntry,
} from '@hearth/command-line/program/commands'
import { saveSettings } from '../settings/settings.ts'
import { VERSION } from '../version.ts'
import { openContext, type Context } from './context.ts'
import { HELP } from './help-texts.ts'

const PRINT_JSON = ['--json', 'print JSON, for scripts'] as const

const SEAL_OPTIONS = [
  ['--gateway <url>', 'address of the gateway (HEARTH_URL)'],
  ['--key <key>', 'API key; HEARTH_API_KEY keeps it out of the process list'],
  ['--seal <seal>', 'the seal of your organization, hs-… (HEARTH_SEAL)'],
  ['--allow-insecure', 'allow an unencrypted (http://) gateway on another machine'],
  ['--save', 'keep the gateway, the API key and the seal in settings.json, where only you can read them'],
] as const

const COMMANDS: readonly CommandEntry<Context>[] = [
  {
    name: 'init',
    summary: 'make the seal of your organization, or a key for another administrator',
    options: [
      ['--join', 'make a key that whoever has the seal approves'],
      ['--new', 'make a new one even if there is one already, which is kept beside it'],
      PRINT_JSON,
    ],
    ...HELP.init,
    async run(context, options: { join?: true; new?: true; json?: true }) {
      const { init } = await import('./init.ts')
      init({ join: options.join === true, isNew: options.new === true, isJson: options.json === true }, context)
    },
  },
  {
    name: 'approve [device]',
    summary: 'let a device read sealed requests, or another administrator approve devices',
    options: [
      ...SEAL_OPTIONS,
      ['--name <name>', 'of an administrator (ha-…)'],
      ['--yes', 'ask nothing: you have compared the fingerprint'],
    ],
    ...HELP.approve,
    async run(context, { name, yes = false }: { name?: string; yes?: boolean }, who?: string) {
      const options = { ...(name !== undefined && { name }), isYes: yes }
      await (await import('./approve.ts')).approve(who, options, context)
    },
  },
  {
    name: 'list',
    summary: 'show devices and administrators, and which are approved',
    options: [...SEAL_OPTIONS, PRINT_JSON],
    ...HELP.list,
    run: async (context, { json = false }: { json?: boolean }) =>
      (await import('./list.ts')).list({ isJson: json }, context),
  },
  {
    name: 'revoke <device>',
    summary: 'take a device, an administrator (ha-…) or a program (its hash) off the list',
    options: [...SEAL_OPTIONS, ['--yes', 'ask nothing']],
    ...HELP.revoke,
    run: async (context, { yes = false }: { yes?: boolean }, who: string) =>
      (await import('./revoke.ts')).revoke(who, yes, context),
  },
  {
    name: 'app [where]',
    summary: 'name the code that devices and clients may install: a checkout, an archive or a hash',
    options: [...SEAL_OPTIONS, ['--yes', 'ask nothing']],
    ...HELP.app,
    run: async (context, { yes = false }: { yes?: boolean }, where?: string) =>
      (await import('./app.ts')).nameApps(where, yes, context),
  },
  {
    name: 'proxy',
    summary: 'seal the requests of clients on this machine, until you stop it',
    options: [
      ...SEAL_OPTIONS,
      ['--port <port>', 'where clients reach it (default: 8282)'],
      ['--no-affinity', "don't let the gateway see that two requests begin the same"],
    ],
    ...HELP.proxy,
    run: async (context, options: { port?: string; affinity: boolean }) =>
      (await import('./proxy.ts')).runProxy(options, context),
  },
]

export const PROGRAM: ProgramEntry<Context> = {
  name: 'hearth-seal',
  summary: 'Seals requests on this machine, so that only devices that you approved can read them, and no gateway.',
  version: VERSION,
  options: [['--home <folder>', 'state folder (HEARTH_SEAL_HOME; default: ~/.hearth-seal)']],
  ...HELP.program,
  commands: COMMANDS,
}

/** Returns the exit code. */
export function runSeal(words: readonly string[], world: CommandWorld): Promise<number> {
  return runProgram(PROGRAM, words, world, (command) => openSaving(command, world))
}

/** With --save, the next command needs none of the options that this one was given. */
function openSaving(command: Command, world: CommandWorld): Context {
  const context = openContext(command, world)
  if (command.opts<{ save?: true }>().save) saveSettings(context.folder, context.texts)
  return context
}
