// npm start: runs Hearth on this machine as it runs anywhere else, in processes: the gateway with its console, and a device.

import { launch } from './launch.ts'
import { HELP, readOptions, UsageError } from './options.ts'
import { renderPanel } from './panel.ts'
import { Screen } from './screen.ts'
import { Parts } from './supervise/parts.ts'

const SAME_SIGNAL_MS = 1_000
const OLDEST_NODE = 24

const screen = new Screen(process.stdout)
const parts = new Parts()
let isStopping = false
let toldAt = Number.NEGATIVE_INFINITY

process.on('SIGINT', interrupt)
process.on('SIGTERM', () => void stop(0))
process.on('SIGHUP', hangUp)
// A terminal that was closed takes no more text, and that must not keep us from stopping the parts.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
process.on('exit', () => parts.kill())
await main().catch((error: unknown) => {
  if (isStopping) return undefined
  console.error(`\n${error instanceof Error ? error.message : String(error)}\n`)
  return stop(error instanceof UsageError ? 2 : 1)
})

async function main(): Promise<void> {
  rejectOldNode()
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help') return screen.print(HELP)
  screen.print('\n  Starting Hearth')
  screen.print(renderPanel(await launch(options, { parts, screen })))
}

function rejectOldNode(): void {
  if (Number(process.versions.node.split('.', 1)[0]) < OLDEST_NODE)
    throw new UsageError(
      `Hearth needs Node ${OLDEST_NODE} or later, and this is Node ${process.versions.node}. Run "npm ci", which installs one, and then "npm start"`,
    )
}

/** npm forwards a Ctrl-C that the terminal has already sent us: both are the same key press. */
function interrupt(): void {
  const now = performance.now()
  if (now - toldAt < SAME_SIGNAL_MS) return
  toldAt = now
  void stop(0)
}

/** The terminal was closed. The signal may come more than once. */
function hangUp(): void {
  if (!isStopping) void stop(0)
}

async function stop(code: number): Promise<void> {
  if (isStopping) return process.exit(1)
  isStopping = true
  if (!parts.isEmpty) screen.step('Stopping… Press Ctrl-C again to stop immediately')
  await parts.stop()
  process.exit(code)
}
