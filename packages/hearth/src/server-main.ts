// Runs a server that is not written in JavaScript as a part of Hearth: the server stops when this process is asked to, and ends with it.

import { spawnServer, type ServerCommand } from '@hearth/gateway/local-servers'

const server = spawnServer(JSON.parse(process.argv[2]!) as ServerCommand)
server.stderr?.pipe(process.stderr)
process.on('SIGTERM', () => server.kill('SIGINT'))
process.on('exit', () => server.kill('SIGKILL'))
server.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
server.on('exit', (code) => process.exit(code ?? 1))
