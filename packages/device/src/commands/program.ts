// The commands of hearth-device. Each has a file of its own, loaded only when it runs.

import { Option } from 'commander'
import {
  runProgram,
  type CommandEntry,
  type CommandWorld,
  type ProgramEntry,
} from '@hearth/command-line/program/commands'
import { APP_VERSION } from '../version.ts'
import { openContext, type Context } from './context.ts'
import { GPU } from './gpu/gpu-commands.ts'
import { HELP } from './help-texts.ts'
import { MODELS } from './models/model-commands.ts'
import { online } from './network.ts'
import { OWNER_COMMANDS } from './owner-commands.ts'
import { settingsOf } from './settings-of.ts'

const LOGIN: CommandEntry<Context> = {
  name: 'login <gateway>',
  summary: 'connect this machine to a gateway',
  description:
    'Adds this machine to your organization as a device. Without a token, it shows a code for you (or someone who may add devices) to approve in the console.',
  options: [
    ...settingsOf('login'),
    ['--token <token>', 'one-time token; HEARTH_DEVICE_TOKEN keeps it out of the process list'],
    ['--name <name>', 'device name shown in the console (default: the host name)'],
    ['--seal <seal>', "your organization's seal (hs-…), from an administrator: only code that it names is installed"],
    // The installer takes the next step itself, so nobody needs to know it.
    new Option('--installing').hideHelp(),
  ],
  ...HELP.login,
  run: online(
    async (context, options: { token?: string; name?: string; seal?: string; installing?: true }, gateway: string) =>
      (await import('./login.ts')).login(gateway, options, context),
  ),
}

const START: CommandEntry<Context> = {
  name: 'start',
  summary: 'connect to the gateway and serve models',
  description: 'Connects to the gateway, loads your models and answers requests until you stop it.',
  options: settingsOf('start'),
  ...HELP.start,
  run: online(async (context) => (await import('./start.ts')).start(context)),
}

const SERVICE: CommandEntry<Context> = {
  name: 'service',
  summary: 'run the app in the background, as a service',
  ...HELP.service,
  commands: [
    {
      name: 'install',
      summary: 'start now and at every login (systemd, launchd or Task Scheduler)',
      options: [['--print', 'print the service file without installing it']],
      ...HELP.install,
      run: async (context, { print = false }: { print?: boolean }) =>
        (await import('./service.ts')).installService({ isPrint: print }, context),
    },
    {
      name: 'uninstall',
      summary: 'stop and remove the service',
      ...HELP.uninstall,
      run: async (context) => (await import('./service.ts')).uninstallService(context),
    },
  ],
}

const UPDATE: CommandEntry<Context> = {
  name: 'update',
  summary: "update the app to the gateway's version",
  description: 'Installs the app version that your gateway hands out, if it differs from this one.',
  options: [
    ...settingsOf('update'),
    ['--check', 'only check; exits with 3 if there is an update'],
    ['--yes', 'install code that has changed without asking, unless a seal is pinned'],
  ],
  ...HELP.update,
  run: online(async (context, { check = false, yes = false }: { check?: boolean; yes?: boolean }) =>
    (await import('./update.ts')).update({ isCheck: check, isYes: yes }, context),
  ),
}

const SEAL: CommandEntry<Context> = {
  name: 'seal [seal]',
  summary: "pin your organization's seal: only code that it names is installed",
  options: [
    ['--yes', 'pin what the gateway shows: you have compared it'],
    ['--off', 'forget the pinned seal'],
  ],
  ...HELP.seal,
  run: online(async (context, { yes = false, off = false }: { yes?: boolean; off?: boolean }, given?: string) =>
    (await import('./seal.ts')).seal(given, { isYes: yes, isOff: off }, context),
  ),
}

export const PROGRAM: ProgramEntry<Context> = {
  name: 'hearth-device',
  summary: "Runs AI models on this machine and serves them through your organization's Hearth gateway.",
  version: APP_VERSION,
  options: [
    ['--home <folder>', 'state folder (HEARTH_DEVICE_HOME; default: the device that runs, or ~/.hearth-device)'],
    ['--config <file>', 'settings file, TOML or JSON (HEARTH_DEVICE_CONFIG)'],
  ],
  ...HELP.program,
  commands: [LOGIN, START, MODELS, ...OWNER_COMMANDS, GPU, SERVICE, UPDATE, SEAL],
}

/** Returns the exit code. */
export function runDevice(words: readonly string[], world: CommandWorld): Promise<number> {
  return runProgram(PROGRAM, words, world, (command) => openContext(command, world))
}
