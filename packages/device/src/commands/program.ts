// The command line: its commands, options, help and error handling. Each command has a file of its own, loaded only when it runs.

import { Command, CommanderError, Option } from 'commander'
import { DeviceError } from '../errors.ts'
import { kebab, SETTING_NAMES, SETTINGS, type CommandName } from '../settings/settings.ts'
import { createScreen } from '../terminal/screen.ts'
import { APP_VERSION } from '../version.ts'
import { openContext, type CommandWorld, type Context } from './context.ts'
import { HELP_AFTER } from './help-texts.ts'
import { prepareNetwork, untilInterrupted } from './network.ts'

type Action = (context: Context) => Promise<number | void> | number | void

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
  if (!(error instanceof DeviceError)) throw error
  const screen = createScreen(world.stderr)
  screen.line('bad', error.message)
  if (error.advice !== undefined) screen.line('info', `→ ${error.advice}`)
  return 1
}

type Run = (command: Command, action: Action) => Promise<void>

function createProgram(world: CommandWorld, run: Run): Command {
  const program = new Command('hearth-device')
    .description("Runs AI models on this machine and serves them through your organization's Hearth gateway.")
    .version(APP_VERSION, '--version', 'print the version')
    .option('--home <folder>', 'state folder (HEARTH_DEVICE_HOME; default: ~/.hearth-device)')
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
  addModels(program, run)
  addOwner(program, run)
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
    // The installer goes on by itself, so nobody needs to know the next step.
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

function addModels(program: Command, run: Run): void {
  const models = program
    .command('models')
    .summary('list, pull, add, verify, keep and remove models')
    .description('Manages the models on this machine. A running app picks up changes by itself.')
    .addHelpText('after', HELP_AFTER.models)
  models
    .command('list')
    .description('list the models on this machine')
    .addHelpText('after', HELP_AFTER.list)
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }, command: Command) =>
      run(command, async (context) =>
        (await import('./list-models.ts')).listModels({ isJson: options.json === true }, context),
      ),
    )
  for (const verb of ['pull', 'add'] as const)
    withSettings(models.command(`${verb} <source>`), 'models')
      .description(
        verb === 'pull' ? 'download a model and serve it' : 'serve a model file that is already on this machine',
      )
      .option('--as <name>', 'model name that clients use')
      .option('--slots <count>', 'requests this model handles at once')
      .option('--context <tokens>', 'max tokens per request, prompt and answer together')
      .option('--gpu-layers <count>', 'layers to keep on the GPU')
      .option('--keep-alive <time>', 'how long it stays in memory when idle: a time like 2h, always or never')
      .addHelpText('after', HELP_AFTER[verb])
      .action((source: string, options: { as?: string }, command: Command) =>
        run(command, async (context) => {
          const { pull } = await import('./models.ts')
          prepareNetwork(context)
          await pull(source, options.as, context, untilInterrupted())
        }),
      )
  models
    .command('verify [name]')
    .description('read the files again and compare their checksums')
    .addHelpText('after', HELP_AFTER.verify)
    .action((name: string | undefined, _: unknown, command: Command) =>
      run(command, async (context) => (await import('./models.ts')).verify(name, context, untilInterrupted())),
    )
  models
    .command('keep <name> <time>')
    .description('set how long an idle model stays in memory: a time like 2h, always or never')
    .addHelpText('after', HELP_AFTER.keep)
    .action((name: string, time: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('./models.ts')).keep(name, time, context)),
    )
  models
    .command('remove <name>')
    .description('stop serving a model, and delete its file if the app downloaded it')
    .addHelpText('after', HELP_AFTER.remove)
    .action((name: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('./models.ts')).remove(name, context)),
    )
}

function addOwner(program: Command, run: Run): void {
  program
    .command('status')
    .description('show the status of the running device')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP_AFTER.status)
    .action((options: { json?: boolean }, command: Command) =>
      run(command, async (context) => (await import('./status.ts')).status({ isJson: options.json === true }, context)),
    )
  program
    .command('pause')
    .description('stop serving and free the memory, until you resume')
    .option('--now', 'return running jobs to the gateway instead of finishing them')
    .addHelpText('after', HELP_AFTER.pause)
    .action((options: { now?: boolean }, command: Command) =>
      run(command, async (context) => (await import('./pause.ts')).pause({ isNow: options.now === true }, context)),
    )
  program
    .command('resume')
    .description('serve again after a pause')
    .addHelpText('after', HELP_AFTER.resume)
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('./pause.ts')).resume(context)),
    )
  withSettings(program.command('doctor'), 'doctor')
    .summary("find out why something doesn't work")
    .description('Checks memory, disk, GPU, engine, models, local servers, web search, login and connection.')
    .option('--engine', 'only check that the engine runs on this machine')
    .addOption(
      new Option('--plan [machines]', 'only show what each model gets on this machine, or on many machines')
        .choices(['this', 'all'])
        .preset('this'),
    )
    .addHelpText('after', HELP_AFTER.doctor)
    .action((options: { engine?: boolean; plan?: 'this' | 'all' }, command: Command) =>
      run(command, async (context) => {
        const { doctor } = await import('./doctor.ts')
        prepareNetwork(context)
        return doctor(
          { isOnlyEngine: options.engine === true, ...(options.plan === undefined ? {} : { plan: options.plan }) },
          context,
        )
      }),
    )
  program
    .command('settings')
    .description('show every setting, its value and its source')
    .addHelpText('after', HELP_AFTER.settings)
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('./show-settings.ts')).showSettings(context)),
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

/** Descriptions are fragments in lists of commands, and a sentence in a command's own help. */
function asSentence(text: string): string {
  return text === '' || text.endsWith('.') ? text : `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

/** Adds the flags of the settings that belong to this command. */
function withSettings(command: Command, name: CommandName): Command {
  for (const setting of SETTING_NAMES) {
    const { commands, placeholder, help, fallback } = SETTINGS[setting]
    if (!commands.includes(name)) continue
    const flag = kebab(setting)
    const words =
      placeholder === undefined ? (fallback === true ? `--no-${flag}` : `--${flag}`) : `--${flag} ${placeholder}`
    command.addOption(new Option(words, placeholder === undefined && fallback === true ? `don't ${help}` : help))
  }
  return command
}
