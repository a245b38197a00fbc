// The commands of hearth-device. Each has a file of its own, loaded only when it runs.

import { Option } from 'commander'
import {
  runProgram,
  type CommandEntry,
  type CommandWorld,
  type ProgramEntry,
} from '@hearth/command-line/program/commands'
import { environmentName } from '../settings/settings.ts'
import { APP_VERSION } from '../version.ts'
import { openContext, type Context } from './context.ts'
import { GPU } from './gpu/gpu-commands.ts'
import { MODELS } from './models/model-commands.ts'
import { online } from './network.ts'
import { OWNER_COMMANDS } from './owner-commands.ts'
import { SERVERS } from './servers/server-commands.ts'
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
  after: `Examples:
  Log in with a code that you approve in the console:
    $ hearth-device login https://hearth.example.com

  Log in without a browser, with a token from the console (Devices, Add a device):
    $ HEARTH_DEVICE_TOKEN=he-hearth-... hearth-device login https://hearth.example.com --name studio

The credential is saved in the state folder, where only you can read it.`,
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
  examples: [
    'start',
    'start --slots 2 --threads 4',
    'start --memory 12GB --keep-alive 2h',
    'start --hours 18:00-08:00,12:00-13:00 --only-on-mains',
    'start --upstream auto',
    'HEARTH_DEVICE_SEARCH_KEY=... hearth-device start --search brave',
  ],
  after: `You can also set every option in the environment (${environmentName('gpuLayers')}=20)
or in settings.toml in the state folder (gpu-layers = 20).
To see the settings in effect, run hearth-device settings.

Ctrl-C or SIGTERM finishes the running jobs first; a second one stops right away.`,
  run: online(async (context) => (await import('./start.ts')).start(context)),
}

const SERVICE: CommandEntry<Context> = {
  name: 'service',
  summary: 'run the app in the background, as a service',
  examples: ['service install', 'service install --print', 'service uninstall'],
  after: `The service reads its settings from settings.toml in the state folder. You don't need to be an administrator.`,
  commands: [
    {
      name: 'install',
      summary: 'start now and at every login (systemd, launchd or Task Scheduler)',
      options: [['--print', 'print the service file without installing it']],
      examples: ['service install', 'service install --print'],
      run: async (context, { print = false }: { print?: boolean }) =>
        (await import('./service.ts')).installService({ isPrint: print }, context),
    },
    {
      name: 'uninstall',
      summary: 'stop and remove the service',
      examples: ['service uninstall'],
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
  examples: ['update', 'update --check', ['update --yes', 'for scripts, where you trust whoever runs the gateway']],
  after: `With a pinned seal (hearth-device seal), only code that the seal names is installed. Without one, an update is installed
without a question only if the project has signed it as a release. Otherwise you see the hash of the old and of the new
code, and are asked. A version that is older than this one is never installed.`,
  run: online(async (context, { check = false, yes = false }: { check?: boolean; yes?: boolean }) =>
    (await import('./update.ts')).update({ isCheck: check, isYes: yes }, context),
  ),
}

const UNINSTALL: CommandEntry<Context> = {
  name: 'uninstall',
  summary: 'take the app off this machine',
  description:
    'Stops the app, removes its service, and deletes what it has put on this machine: its code, its login and the models that it has downloaded. Your own files stay.',
  options: [
    ['--keep-models', 'leave the downloaded models in the state folder'],
    ['--yes', "don't ask"],
  ],
  examples: ['uninstall', ['uninstall --keep-models', 'to install it again without downloading them again']],
  after: `Your organization lists the machine until somebody removes it in the console, under Devices.`,
  run: async (context, { keepModels = false, yes = false }: { keepModels?: boolean; yes?: boolean }) =>
    (await import('./uninstall.ts')).uninstall({ isYes: yes, keepsModels: keepModels }, context),
}

const SEAL: CommandEntry<Context> = {
  name: 'seal [seal]',
  summary: "pin your organization's seal: only code that it names is installed",
  options: [
    ['--yes', 'pin what the gateway shows: you have compared it'],
    ['--off', 'forget the pinned seal'],
  ],
  examples: [
    ['seal hs-...', 'the line that an administrator gave you'],
    ['seal', 'compare what the gateway shows, or check the pinned seal again'],
    'seal --off',
  ],
  after: `Sealed requests are only as safe as the code on the devices that open them. From now on, hearth-device update installs
nothing that the seal doesn't name.`,
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
  after: `Examples:
  Connect this machine and serve a small starter model:
    $ hearth-device login https://hearth.example.com
    $ hearth-device start

  Serve a model by its name, or from Hugging Face:
    $ hearth-device models pull qwen3:8b
    $ hearth-device models pull hf:bartowski/Qwen2.5-7B-Instruct-GGUF:Q4_K_M --as qwen

  Serve the models that Ollama already has on this machine:
    $ hearth-device servers add ollama

  Serve only at night, and only when plugged in:
    $ hearth-device start --hours 18:00-08:00 --only-on-mains

  Find out why something doesn't work:
    $ hearth-device doctor

For the options of a command, run hearth-device <command> --help.
The app connects out to the gateway and never opens a port.`,
  commands: [LOGIN, START, MODELS, SERVERS, ...OWNER_COMMANDS, GPU, SERVICE, UPDATE, SEAL, UNINSTALL],
}

/** Returns the exit code. */
export function runDevice(words: readonly string[], world: CommandWorld): Promise<number> {
  return runProgram(PROGRAM, words, world, (command) => openContext(command, world))
}
