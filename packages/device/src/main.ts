#!/usr/bin/env node
// The process of the device app: checks its Node, runs one command, exits with its code.

import { enableCompileCache } from 'node:module'

const NEEDED_NODE = 26

if (Number(process.versions.node.split('.')[0]) < NEEDED_NODE) {
  process.stderr.write(
    `✗ The device app needs Node ${NEEDED_NODE} or newer; this is ${process.versions.node} (${process.execPath})\n` +
      '· → start it with: npm run device -- <command>, which brings the right one\n',
  )
  process.exit(1)
}
enableCompileCache()

// What an unexpected error says may hold a part of a prompt: only its kind and place are shown.
process.on('uncaughtException', (error: unknown) => {
  const { name, stack } = error instanceof Error ? error : new Error('unknown')
  const places = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  process.stderr.write(`✗ unexpected fault (${name})\n${places.join('\n')}\n`)
  process.exit(70)
})

const { runProgram } = await import('./commands/program.ts')
process.exitCode = await runProgram(process.argv.slice(2), {
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
})
// Whatever is still open must not keep a command that is done.
setTimeout(() => process.exit(), 2_000).unref()
