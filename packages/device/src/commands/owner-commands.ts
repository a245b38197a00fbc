// The commands that look after the running device: `status`, `logs`, `pause`, `resume`, `unblock`, `doctor`, `settings`.

import { Option, type Command } from 'commander'
import type { Run } from './context.ts'
import { HELP_AFTER } from './help-texts.ts'
import { prepareNetwork } from './network.ts'
import { withSettings } from './with-settings.ts'

export function addOwnerCommands(program: Command, run: Run): void {
  addStatus(program, run)
  addLogs(program, run)
  addPause(program, run)
  addResume(program, run)
  addUnblock(program, run)
  addDoctor(program, run)
  addShowSettings(program, run)
}

function addStatus(program: Command, run: Run): void {
  program
    .command('status')
    .description('show the status of the running device')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP_AFTER.status)
    .action((options: { json?: boolean }, command: Command) =>
      run(command, async (context) => (await import('./status.ts')).status({ isJson: options.json === true }, context)),
    )
}

function addLogs(program: Command, run: Run): void {
  program
    .command('logs')
    .description('show what the app has printed lately')
    .option('--lines <count>', 'how many lines (default: 100)')
    .option('--follow', 'keep printing new lines')
    .addHelpText('after', HELP_AFTER.logs)
    .action((options: { lines?: string; follow?: boolean }, command: Command) =>
      run(command, async (context) =>
        (await import('./logs.ts')).showLogs({ lines: options.lines, follows: options.follow === true }, context),
      ),
    )
}

function addPause(program: Command, run: Run): void {
  program
    .command('pause')
    .description('stop serving and free the memory, until you resume')
    .option('--now', 'return running jobs to the gateway instead of finishing them')
    .addHelpText('after', HELP_AFTER.pause)
    .action((options: { now?: boolean }, command: Command) =>
      run(command, async (context) =>
        (await import('./running/pause.ts')).pause({ isNow: options.now === true }, context),
      ),
    )
}

function addResume(program: Command, run: Run): void {
  program
    .command('resume')
    .description('serve again after a pause')
    .addHelpText('after', HELP_AFTER.resume)
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('./running/pause.ts')).resume(context)),
    )
}

function addUnblock(program: Command, run: Run): void {
  program
    .command('unblock')
    .description('accept requests again that crashed an engine')
    .addHelpText('after', HELP_AFTER.unblock)
    .action((_: unknown, command: Command) =>
      run(command, async (context) => (await import('./running/unblock.ts')).unblock(context)),
    )
}

function addDoctor(program: Command, run: Run): void {
  withSettings(program.command('doctor'), 'doctor')
    .summary("find out why something doesn't work")
    .description('Checks memory, disk, GPU, engine, models, local servers, web search, login and connection.')
    .option('--engine', 'only check that the engine runs on this machine')
    .addOption(
      new Option('--plan [machines]', 'only show what each model gets on this machine, or on many machines')
        .choices(['this', 'all'])
        .preset('this'),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', HELP_AFTER.doctor)
    .action((options: { engine?: boolean; plan?: 'this' | 'all'; json?: boolean }, command: Command) =>
      run(command, async (context) => {
        const { doctor } = await import('./doctor/doctor.ts')
        prepareNetwork(context)
        const { engine, plan, json } = options
        return doctor({ isOnlyEngine: engine === true, isJson: json === true, ...(plan && { plan }) }, context)
      }),
    )
}

function addShowSettings(program: Command, run: Run): void {
  program
    .command('settings')
    .description('show every setting, its value and its source')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP_AFTER.settings)
    .action((options: { json?: boolean }, command: Command) =>
      run(command, async (context) =>
        (await import('./show-settings.ts')).showSettings({ isJson: options.json === true }, context),
      ),
    )
}
