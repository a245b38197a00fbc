// The command line: its words, its help and its mistakes. What a command does is in its own file, loaded when it is called.

import { Command, CommanderError, Option } from 'commander'
import { DeviceError } from '../errors.ts'
import { environmentName, kebab, SETTING_NAMES, SETTINGS, type CommandName } from '../settings/settings.ts'
import { createScreen } from '../terminal/screen.ts'
import { APP_VERSION } from '../version.ts'
import { openContext, type CommandWorld, type Context } from './context.ts'
import { prepareNetwork, untilInterrupted } from './network.ts'

const EXAMPLES = `
Examples:
  $ hearth-device login https://hearth.example.com
  $ hearth-device models pull starter
  $ hearth-device start

  $ hearth-device models pull hf:bartowski/Qwen2.5-7B-Instruct-GGUF:Q4_K_M --as qwen
  $ hearth-device start --hours 18:00-08:00 --only-on-mains
  $ hearth-device doctor

Its files are in ~/.hearth-device (or HEARTH_DEVICE_HOME). It dials out to the gateway and never opens a port.
`

const START_HELP = `
Every option can also be set in the environment (${environmentName('gpuLayers')}=20)
or in settings.toml in the state folder (gpu-layers = 20). hearth-device settings shows what holds.

Ctrl-C, or SIGTERM, finishes the running jobs; a second one stops at once.
`

const SOURCES_HELP = `
Sources:
  starter                    SmolLM2-135M-Instruct, small enough for every machine (98 MB)
  hf:owner/name              a repository of the model hub; the quantisation is chosen
  hf:owner/name:Q4_K_M       the same, with this quantisation
  https://host/model.gguf    an address
  ./model.gguf               a file, served from where it is

A download that was interrupted goes on where it stopped.
`

type Action = (context: Context) => Promise<number | void> | number | void

/** The exit code. */
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
  // Commander has said it already: help and version end with 0.
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
    .description(
      'Turns this machine into a device of your organization: it runs models and answers through the gateway.',
    )
    .version(APP_VERSION, '--version', 'print the version')
    .option('--home <folder>', 'where the app keeps its files (HEARTH_DEVICE_HOME)')
    .option('--config <file>', 'settings file, TOML or JSON (HEARTH_DEVICE_CONFIG)')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(--help shows how it is used)')
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
    .summary('enrol this machine at a gateway')
    .description(
      'Enrols this machine and keeps the credential it gets, readable by you only. Without a token it shows a code, which somebody who may add devices approves in the console.',
    )
    .option('--token <token>', 'a one-time token; or set HEARTH_DEVICE_TOKEN, which does not show in the process list')
    .option('--name <name>', 'what the device is called (default: the name of the machine)')
    .action((gateway: string, options: { token?: string; name?: string }, command: Command) =>
      run(command, async (context) => {
        const { login } = await import('./login.ts')
        prepareNetwork(context)
        await login(gateway, { token: options.token, name: options.name }, context)
      }),
    )
}

function addStart(program: Command, run: Run): void {
  withSettings(program.command('start'), 'start')
    .summary('connect and serve')
    .description('Connects to the gateway, loads the models and answers requests until it is stopped.')
    .addHelpText('after', START_HELP)
    .action((_: unknown, command: Command) =>
      run(command, async (context) => {
        const { start } = await import('./start.ts')
        prepareNetwork(context)
        await start(context)
      }),
    )
}

function addModels(program: Command, run: Run): void {
  const models = program.command('models').summary('list, add, pull and remove models')
  models
    .command('list')
    .summary('what this machine serves')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }, command: Command) =>
      run(command, async (context) =>
        (await import('./models.ts')).listModels({ isJson: options.json === true }, context),
      ),
    )
  for (const verb of ['pull', 'add'] as const)
    withSettings(models.command(`${verb} <source>`), 'models')
      .summary(verb === 'pull' ? 'fetch a model and serve it' : 'serve a model file that is already here')
      .option('--as <name>', 'the name it is served under')
      .option('--slots <count>', 'jobs at once on this model')
      .option('--context <tokens>', 'prompt and answer together, per slot')
      .option('--gpu-layers <count>', 'layers kept on the GPU')
      .addHelpText('after', SOURCES_HELP)
      .action((source: string, options: { as?: string }, command: Command) =>
        run(command, async (context) => {
          const { pull } = await import('./models.ts')
          prepareNetwork(context)
          await pull(source, options.as, context, untilInterrupted())
        }),
      )
  models
    .command('remove <name>')
    .summary('serve it no longer; a fetched file is deleted')
    .action((name: string, _: unknown, command: Command) =>
      run(command, async (context) => (await import('./models.ts')).remove(name, context)),
    )
}

function addOwner(program: Command, run: Run): void {
  program
    .command('status')
    .summary('what the running device does')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }, command: Command) =>
      run(command, async (context) => (await import('./status.ts')).status({ isJson: options.json === true }, context)),
    )
  program
    .command('pause')
    .summary('stop serving until resume, and give the memory back')
    .option('--now', 'give running jobs back instead of finishing them')
    .action((options: { now?: boolean }, command: Command) =>
      run(command, async (context) => (await import('./pause.ts')).pause({ isNow: options.now === true }, context)),
    )
  program
    .command('resume')
    .summary('serve again after pause')
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('./pause.ts')).resume(context)),
    )
  withSettings(program.command('doctor'), 'doctor')
    .summary('check engine, GPU, memory, disk, models, login and link')
    .option('--engine', 'only whether the engine computes on this machine')
    .action((options: { engine?: boolean }, command: Command) =>
      run(command, async (context) => {
        const { doctor } = await import('./doctor.ts')
        prepareNetwork(context)
        return doctor({ isOnlyEngine: options.engine === true }, context)
      }),
    )
  program
    .command('settings')
    .summary('show every setting, its value and where it comes from')
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('./show-settings.ts')).showSettings(context)),
    )
}

function addService(program: Command, run: Run): void {
  const service = program.command('service').summary('run as a service of the system')
  service
    .command('install')
    .summary('start with the system (systemd, launchd, Task Scheduler)')
    .option('--print', 'show the file instead of installing it')
    .action((options: { print?: boolean }, command: Command) =>
      run(command, async (context) =>
        (await import('./service.ts')).installService({ isPrint: options.print === true }, context),
      ),
    )
  service
    .command('uninstall')
    .summary('no longer start with the system')
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('./service.ts')).uninstallService(context)),
    )
}

function addUpdate(program: Command, run: Run): void {
  withSettings(program.command('update'), 'update')
    .summary("take the gateway's version of this app")
    .description('Installs the version of this app that the gateway hands out, if it is another one.')
    .option('--check', 'only say whether there is another version; the exit code is 3 then')
    .action((options: { check?: boolean }, command: Command) =>
      run(command, async (context) => {
        const { update } = await import('./update.ts')
        prepareNetwork(context)
        return update({ isCheck: options.check === true }, context)
      }),
    )
}

/** Flags of the settings that a command knows, out of the table. */
function withSettings(command: Command, name: CommandName): Command {
  for (const setting of SETTING_NAMES) {
    const { commands, placeholder, help, fallback } = SETTINGS[setting]
    if (!commands.includes(name)) continue
    const flag = kebab(setting)
    const words =
      placeholder === undefined ? (fallback === true ? `--no-${flag}` : `--${flag}`) : `--${flag} ${placeholder}`
    command.addOption(new Option(words, placeholder === undefined && fallback === true ? `do not ${help}` : help))
  }
  return command
}
