// `hearth-device servers …`: the local servers whose models this machine serves.

import type { CommandEntry } from '@hearth/command-line/program/commands'
import type { Context } from '../context.ts'
import { PRINT_JSON } from '../settings-of.ts'

export const SERVERS: CommandEntry<Context> = {
  name: 'servers',
  summary: 'list, add and remove local servers such as Ollama',
  description:
    'Manages the local servers whose models this machine serves beside its own. A running app picks up changes automatically.',
  examples: ['servers list', 'servers add ollama', 'servers add http://127.0.0.1:8000', 'servers remove ollama'],
  after: `The setting upstream replaces this list. With --no-upstream, no local server is served.`,
  commands: [
    {
      name: 'list',
      summary: 'list the local servers that run here, and those that you added',
      options: [PRINT_JSON],
      examples: ['servers list', 'servers list --json'],
      run: async (context, { json = false }: { json?: boolean }) =>
        (await import('./servers.ts')).listServers({ isJson: json }, context),
    },
    {
      name: 'add <server...>',
      summary: 'serve the models of local servers, now and after each start',
      examples: ['servers add ollama', 'servers add ollama lm-studio', 'servers add http://127.0.0.1:8000'],
      after: `A server is ollama, llama-server, lm-studio or vllm if it runs on its usual port, or an address.`,
      run: async (context, _: object, servers: string[]) => (await import('./servers.ts')).add(servers, context),
    },
    {
      name: 'remove <server>',
      summary: 'stop serving the models of a local server',
      examples: ['servers remove ollama', 'servers remove http://127.0.0.1:8000'],
      after: `Requests that run on it end. The server itself runs on.`,
      run: async (context, _: object, server: string) => (await import('./servers.ts')).stopServing(server, context),
    },
  ],
}
