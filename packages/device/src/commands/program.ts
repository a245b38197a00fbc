// The command line: its commands, options, help and error handling. Each command has a file of its own, loaded only when it runs.

import { Command, CommanderError, Option } from 'commander'
import { CommandError } from '@hearth/command-line/errors'
import { asSentence } from '@hearth/command-line/terminal/as-sentence'
import { createScreen } from '@hearth/command-line/terminal/screen'
import { APP_VERSION } from '../version.ts'
import { openContext, type CommandWorld, type Run } from './context.ts'
import { HELP_AFTER } from './help-texts.ts'
import { addGpuCommands } from './gpu/gpu-commands.ts'
import { addModelCommands } from './models/model-commands.ts'
import { prepareNetwork } from './network.ts'
import { addOwnerCommands } from './owner-commands.ts'
import { withSettings } from './with-settings.ts'

/** Returns the exit code. */
export async function runProgram(words: readonly string[], world: CommandWorld): Promise<number> {
  const exit = { code: 0 }
  const program = createProgram(world, async (command, action) => {
    exit.code = (await action(openContext(command, world))) ?? 0
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return exit.code
  } catch (error) {
    return explain(error, world)
  }
}

function explain(error: unknown, world: CommandWorld): number {
  // Commander has already printed the message. Help and version exit with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (!(error instanceof CommandError)) throw error
  const screen = createScreen(world.stderr)
  screen.line('bad', error.message)
  if (error.advice !== undefined) screen.line('info', `→ ${error.advice}`)
  return 1
}

/** All commands, without running one. */
export function createProgram(world: CommandWorld, run: Run): Command {
  const program = new Command('hearth-device')
    .description("Runs AI models on this machine and serves them through your organization's Hearth gateway.")
    .version(APP_VERSION, '--version', 'print the version')
    .option('--home <folder>', 'state folder (HEARTH_DEVICE_HOME; default: the device that runs, or ~/.hearth-device)')
    .option('--config <file>', 'settings file, TOML or JSON (HEARTH_DEVICE_CONFIG)')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', HELP_AFTER.program)
    .showHelpAfterError('Run the command with --help for usage.')
    .configureHelp({ commandDescription: (command) => asSentence(command.description()) })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
    })
  addLogin(program, run)
  addStart(program, run)
  addModelCommands(program, run)
  addOwnerCommands(program, run)
  addGpuCommands(program, run)
  addService(program, run)
  addUpdate(program, run)
  return program
}

function addLogin(program: Command, run: Run): void {
  withSettings(program.command('login <gateway>'), 'login')
    .summary('connect this machine to a gateway')
    .description(
      'Adds this machine to your organization as a device. Without a token, it shows a code for you (or someone who may add devices) to approve in the console.',
    )
    .option('--token <token>', 'one-time token; HEARTH_DEVICE_TOKEN keeps it out of the process list')
    .option('--name <name>', 'device name shown in the console (default: the host name)')
    // The installer takes the next step itself, so nobody needs to know it.
    .addOption(new Option('--installing').hideHelp())
    .addHelpText('after', HELP_AFTER.login)
    .action((gateway: string, options: { token?: string; name?: string; installing?: true }, command: Command) =>
      run(command, async (context) => {
        const { login } = await import('./login.ts')
        prepareNetwork(context)
        await login(gateway, options, context)
      }),
    )
}

function addStart(program: Command, run: Run): void {
  withSettings(program.command('start'), 'start')
    .summary('connect to the gateway and serve models')
    .description('Connects to the gateway, loads your models and answers requests until you stop it.')
    .addHelpText('after', HELP_AFTER.start)
    .action((_: unknown, command: Command) =>
      run(command, async (context) => {
        const { start } = await import('./start.ts')
        prepareNetwork(context)
        await start(context)
      }),
    )
}

function addService(program: Command, run: Run): void {
  const service = program
    .command('service')
    .description('run the app in the background, as a service')
    .addHelpText('after', HELP_AFTER.service)
  service
    .command('install')
    .description('start now and at every login (systemd, launchd or Task Scheduler)')
    .addHelpText('after', HELP_AFTER.install)
    .option('--print', 'print the service file without installing it')
    .action((options: { print?: boolean }, command: Command) =>
      run(command, async (context) =>
        (await import('./service.ts')).installService({ isPrint: options.print === true }, context),
      ),
    )
  service
    .command('uninstall')
    .description('stop and remove the service')
    .addHelpText('after', HELP_AFTER.uninstall)
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('./service.ts')).uninstallService(context)),
    )
}

function addUpdate(program: Command, run: Run): void {
  withSettings(program.command('update'), 'update')
    .summary("update the app to the gateway's version")
    .description('Installs the app version that your gateway hands out, if it differs from this one.')
    .addHelpText('after', HELP_AFTER.update)
    .option('--check', 'only check; exits with 3 if there is an update')
    .action((options: { check?: boolean }, command: Command) =>
      run(command, async (context) => {
        const { update } = await import('./update.ts')
        prepareNetwork(context)
        return update({ isCheck: options.check === true }, context)
      }),
    )
}
