// Runs a server that is not written in JavaScript as a part of Hearth: the server stops when this process is asked to, and ends with it.

import { spawn } from 'node:child_process'
import { guardMemory } from '@hearth/command-line/program/guard-memory'
import { spawnServer, type ServerCommand } from '@hearth/gateway/local-servers'

guardMemory()
const [, , command] = process.argv
if (command === undefined) throw new Error('The first argument must be the command of the server, as JSON')
const server = spawnServer(JSON.parse(command) as ServerCommand)
server.stderr?.pipe(process.stderr)
// If this process and the launcher are killed at the same moment, the end of the pipe tells this shell, which ends the server.
const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -KILL "$1"', 'sh', String(server.pid)], {
  stdio: ['pipe', 'ignore', 'ignore'],
})
process.on('SIGTERM', () => server.kill('SIGINT'))
process.on('exit', () => {
  watcher.kill('SIGKILL')
  server.kill('SIGKILL')
})
server.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
server.on('exit', (code, signal) => {
  if (signal !== null) console.error(`Its server was ended by ${signal}`)
  process.exit(code ?? 1)
})
