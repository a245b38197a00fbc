// A device with all the code of the device app, except for its engine: it repeats the prompt, as fast as it can be sent.

import { Device } from '../../packages/device/src/device.ts'
import { createEchoEngine } from '../../packages/device/src/testing/echo-engine.ts'
import type { AgreementKey } from '@hearth/sealing'
import { MODEL } from './tokens.ts'

const { LINK = '', ORGANIZATION = '', SEAL_KEY = '' } = process.env

process.on('message', ([credential = '']: string[]) => {
  const model = { name: MODEL, contextLength: 8_192, slots: 64, features: ['usage' as const], digest: 'sha256:bench' }
  const engine = createEchoEngine({ models: [model] })
  const device = new Device({
    identity: () => ({ gateway: gatewayOf(LINK), credential, organization: ORGANIZATION }),
    engine,
    offer: engine,
    sealKey: SEAL_KEY === '' ? undefined : (JSON.parse(SEAL_KEY) as AgreementKey),
    onNews: (news) => {
      if (news.type === 'link' && news.state.name === 'linked') process.send?.({ greeted: 1 })
    },
  })
  process.on('disconnect', () => {
    device.stop()
    process.exit(0)
  })
})

function gatewayOf(link: string): URL {
  return new URL('/', link.replace(/^ws/, 'http'))
}
