// Login without a token (RFC 8628): the gateway issues a code, a person approves it in the console, and this polls until then.

import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '@hearth/command-line/errors'
import { text } from '@hearth/sealing/fields'
import type { Screen } from '@hearth/command-line/terminal/screen'
import {
  askGateway,
  readNewCredential,
  rejectedLogin,
  type GatewayAnswer,
  type Joining,
  type NewCredential,
} from './ask-gateway.ts'

/** The defaults of the RFC, for a gateway that doesn't send its own. */
const INTERVAL_S = 5
const SLOW_DOWN_S = 5

interface Waiting {
  deviceCode: string
  userCode: string
  page: string
  intervalS: number
}

export async function loginByCode(gateway: URL, joining: Joining, screen: Screen): Promise<NewCredential> {
  const waiting = await begin(gateway, joining)
  screen.line('info', `Open ${waiting.page} and enter the code ${waiting.userCode}`)
  screen.live('Waiting for approval…')
  try {
    return await poll(gateway, waiting)
  } finally {
    screen.live(undefined)
  }
}

async function begin(gateway: URL, joining: Joining): Promise<Waiting> {
  const system = `${process.platform} ${process.arch}`
  const answer = await askGateway(gateway, '/device/v1/authorize', { ...joining, system })
  const deviceCode = text(answer.fields, 'device_code')
  const userCode = text(answer.fields, 'user_code')
  const page = text(answer.fields, 'verification_uri')
  if (deviceCode === undefined || userCode === undefined || page === undefined) throw rejectedLogin(gateway, answer)
  return { deviceCode, userCode, page, intervalS: seconds(answer, 'interval') ?? INTERVAL_S }
}

// This loop ends: codes expire after a few minutes, and then the gateway returns an error.
async function poll(gateway: URL, { deviceCode, intervalS }: Waiting): Promise<NewCredential> {
  let waitS = intervalS
  for (;;) {
    await sleep(waitS * 1_000)
    const answer = await askGateway(gateway, '/device/v1/token', { device_code: deviceCode })
    if (answer.status === 200) return readNewCredential(answer, gateway)
    if (answer.code === 'slow_down') waitS += SLOW_DOWN_S
    else if (answer.code !== 'authorization_pending' && answer.status < 500 && answer.status !== 429)
      throw new CommandError(
        `The login was not approved: ${answer.message ?? `status ${answer.status}`}`,
        'run login again for a new code',
      )
  }
}

function seconds({ fields }: GatewayAnswer, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' && value > 0 && value <= 60 ? value : undefined
}
