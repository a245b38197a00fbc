// A device with all the code of the device app that serves a model of a local server.

import { Device } from '../../packages/device/src/device.ts'
import { createOpenAiServerEngine } from '../../packages/device/src/engines/openai-server/openai-server-engine.ts'
import { MODEL } from '../gateway/tokens.ts'

const { LINK = '', ORGANIZATION = '', SERVER = '', SERVED = '', SLOTS } = process.env
/** Probing every feature takes a while on a busy machine. */
const START_MS = 300_000

const engine = createOpenAiServerEngine({
  url: SERVER,
  models: { [MODEL]: SERVED },
  ...(SLOTS !== undefined && { slots: Number(SLOTS) }),
})

process.on('message', (message: string[] | 'report') => {
  if (message === 'report') process.send?.({ slots: engine.models()[0]?.slots })
  else void connect(message[0] ?? '')
})

async function connect(credential: string): Promise<void> {
  await engine.start(AbortSignal.timeout(START_MS))
  const device = new Device({
    identity: () => ({ gateway: new URL('/', LINK.replace(/^ws/, 'http')), credential, organization: ORGANIZATION }),
    engine,
    offer: engine,
    onNews: (news) => {
      if (news.type === 'link' && news.state.name === 'linked') process.send?.({ greeted: 1 })
    },
  })
  process.on('disconnect', () => {
    device.stop()
    process.exit(0)
  })
}
