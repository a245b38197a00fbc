// The command line: its commands, options, help and error handling. Each command has a file of its own, loaded only when it runs.

import { Command, CommanderError } from 'commander'
import { CommandError } from '@hearth/command-line/errors'
import { asSentence } from '@hearth/command-line/terminal/as-sentence'
import { createScreen } from '@hearth/command-line/terminal/screen'
import { saveSettings } from '../settings/settings.ts'
import { VERSION } from '../version.ts'
import { openContext, type Action, type CommandWorld, type Run } from './context.ts'
import { HELP_AFTER } from './help-texts.ts'

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
  const program = new Command('hearth-seal')
    .description(
      'Seals requests on this machine, so that only devices that you approved can read them, and no gateway.',
    )
    .version(VERSION, '--version', 'print the version')
    .option('--home <folder>', 'state folder (HEARTH_SEAL_HOME; default: ~/.hearth-seal)')
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
  addInit(program, run)
  addApprove(program, run)
  addList(program, run)
  addRevoke(program, run)
  addProxy(program, run)
  return program
}

function addInit(program: Command, run: Run): void {
  program
    .command('init')
    .description('make the seal of your organization, or a key for another administrator')
    .option('--join', 'make a key that whoever has the seal approves')
    .option('--new', 'make a new one even if there is one already, which is kept beside it')
    .option('--json', 'print JSON, for scripts')
    .addHelpText('after', HELP_AFTER.init)
    .action((options: { join?: true; new?: true; json?: true }, command: Command) =>
      run(command, async (context) => {
        const { init } = await import('./init.ts')
        init({ join: options.join === true, isNew: options.new === true, isJson: options.json === true }, context)
      }),
    )
}

function addApprove(program: Command, run: Run): void {
  withSeal(program.command('approve [device]'))
    .description('let a device read sealed requests, or another administrator approve devices')
    .option('--name <name>', 'of an administrator (ha-…)')
    .option('--yes', 'ask nothing: you have compared the fingerprint')
    .addHelpText('after', HELP_AFTER.approve)
    .action((who: string | undefined, { name, yes }: { name?: string; yes?: true }, command: Command) =>
      run(
        command,
        saving(command, async (context) => {
          const options = { ...(name !== undefined && { name }), isYes: yes === true }
          await (await import('./approve.ts')).approve(who, options, context)
        }),
      ),
    )
}

function addList(program: Command, run: Run): void {
  withSeal(program.command('list'))
    .description('show devices and administrators, and which are approved')
    .option('--json', 'print JSON, for scripts')
    .addHelpText('after', HELP_AFTER.list)
    .action(({ json }: { json?: true }, command: Command) =>
      run(
        command,
        saving(command, async (context) => (await import('./list.ts')).list({ isJson: json === true }, context)),
      ),
    )
}

function addRevoke(program: Command, run: Run): void {
  withSeal(program.command('revoke <device>'))
    .description('take a device or an administrator (ha-…) off the list')
    .option('--yes', 'ask nothing')
    .addHelpText('after', HELP_AFTER.revoke)
    .action((who: string, { yes }: { yes?: true }, command: Command) =>
      run(
        command,
        saving(command, async (context) => (await import('./revoke.ts')).revoke(who, yes === true, context)),
      ),
    )
}

function addProxy(program: Command, run: Run): void {
  withSeal(program.command('proxy'))
    .description('seal the requests of clients on this machine, until you stop it')
    .option('--port <port>', 'where clients reach it (default: 8282)')
    .option('--no-affinity', "don't let the gateway see that two requests begin the same")
    .addHelpText('after', HELP_AFTER.proxy)
    .action((options: { port?: string; affinity: boolean }, command: Command) =>
      run(
        command,
        saving(command, async (context) => (await import('./proxy.ts')).runProxy(options, context)),
      ),
    )
}

function withSeal(command: Command): Command {
  return command
    .option('--gateway <url>', 'address of the gateway (HEARTH_URL)')
    .option('--key <key>', 'API key; HEARTH_API_KEY keeps it out of the process list')
    .option('--seal <seal>', 'the seal of your organization, hs-… (HEARTH_SEAL)')
    .option('--allow-insecure', 'allow an unencrypted (http://) gateway on another machine')
    .option('--save', 'keep the gateway, the API key and the seal in settings.json, where only you can read them')
}

/** With --save, the next command needs none of the options that this one was given. */
function saving(command: Command, action: Action): Action {
  return (context) => {
    if (command.opts<{ save?: true }>().save) saveSettings(context.folder, context.texts)
    return action(context)
  }
}
