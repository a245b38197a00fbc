// Checks the port before anything else starts: a port in use is a common mistake, and quick to find.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { UsageError } from './options.ts'

export async function checkPort(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new UsageError(explain(port, (error as NodeJS.ErrnoException).code))
  }
  server.close()
  await once(server, 'close')
}

function explain(port: number, code: string | undefined): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use, maybe by Hearth. Try another one: npm start -- --port ${port === 65_535 ? 8080 : port + 1}`
  return `Cannot use port ${port} (${code ?? 'unknown reason'}). Try another one: npm start -- --port 8080`
}
