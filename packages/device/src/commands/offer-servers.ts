// At a terminal, one key press serves the local servers that run here too.

import type { KeyPresses } from '@hearth/command-line/terminal/key-presses'
import type { FoundServer } from '../news.ts'
import { addServers } from '../settings/added-servers.ts'
import { describeSeen } from '../terminal/describe-servers.ts'
import type { Context } from './context.ts'

/** Returns when somebody pressed the key, or the signal is aborted. */
export async function offerServers(
  servers: readonly FoundServer[],
  keys: Pick<KeyPresses, 'press'>,
  { screen, state }: Pick<Context, 'screen' | 'state'>,
  signal: AbortSignal,
): Promise<void> {
  screen.line('info', `${servers.map(describeSeen).join('. ')}. Press O to serve them too`)
  await keys.press('o', signal)
  if (signal.aborted) return
  addServers(
    state.servers,
    servers.map(({ url }) => url),
  )
  screen.line('info', 'Testing their models; each is served as soon as that is done. Enable their names in the console')
}
