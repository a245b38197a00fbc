#!/usr/bin/env node
// Entry point of the device app: checks the Node version, runs one command and exits with its code.

import { enableCompileCache } from 'node:module'

const NEEDED_NODE = 26

if (Number(process.versions.node.split('.')[0]) < NEEDED_NODE) {
  process.stderr.write(
    `✗ The device app needs Node ${NEEDED_NODE} or newer, but this is Node ${process.versions.node} (${process.execPath})\n` +
      '· → run hearth device <command>, which uses the right version\n',
  )
  process.exit(1)
}
enableCompileCache()

// A reader such as `head` may end first; nobody is left to read an error.
process.stdout.on('error', () => process.exit())

// The message of an unexpected error may contain part of a prompt, so only its name and stack frames are printed.
process.on('uncaughtException', (error: unknown) => {
  const { name, stack } = error instanceof Error ? error : new Error('unknown')
  const places = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  process.stderr.write(`✗ Unexpected error (${name})\n${places.join('\n')}\n`)
  process.exit(70)
})

const { runProgram } = await import('./commands/program.ts')
const { withCommandName } = await import('@hearth/command-line/terminal/command-name')
const { HEARTH_COMMAND: name } = process.env
process.exitCode = await runProgram(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  stdout: withCommandName(process.stdout, 'hearth-device', name),
  stderr: withCommandName(process.stderr, 'hearth-device', name),
})
// A finished command exits even if a socket or timer is still open.
setTimeout(() => process.exit(), 2_000).unref()
