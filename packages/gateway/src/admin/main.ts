#!/usr/bin/env node
// The operator's command line: `hearth admin <command>`. It uses the same store as the gateway, even while the gateway is running;
// changes hold at every gateway when a command ends.

import { enableCompileCache } from 'node:module'
import { createInterface } from 'node:readline/promises'

enableCompileCache()
// A reader such as `head` may end first; nobody is left to read an error.
process.stdout.on('error', () => process.exit())
// Only modules loaded after this line are cached.
const { runCommandLine } = await import('./command-line.ts')
const { withCommandName } = await import('@hearth/command-line/terminal/command-name')
const { HEARTH_COMMAND: name } = process.env
const out = withCommandName(process.stdout, 'hearth admin', name)
const problems = withCommandName(process.stderr, 'hearth admin', name)
process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  print: (text) => out.write(`${text}\n`),
  printError: (text) => problems.write(`${text}\n`),
  ...(process.stdin.isTTY && { ask }),
})

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}
