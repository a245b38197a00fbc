import { createServer } from 'node:https'
import tls from 'node:tls'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { testAuthority } from '@hearth/command-line/testing/test-authority'
import { expect, it, onTestFinished } from 'vitest'
import { checkGateway } from './doctor-gateway.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** With a certificate that is valid a day from then on, and a clock of its own. */
async function startGateway({ fromMs = 0, clockMs = 0, isTrusted = true, hasClock = true }) {
  const authority = await testAuthority()
  const from = Date.now() + fromMs
  const server = createServer(await authority.issue(['127.0.0.1'], { from, until: from + DAY_MS }), (_, response) => {
    response.sendDate = false
    if (hasClock) response.setHeader('date', new Date(Date.now() + clockMs).toUTCString())
    response.end()
  })
  const trusted = tls.getCACertificates('default')
  if (isTrusted) tls.setDefaultCACertificates([...trusted, authority.certificate])
  onTestFinished(() => tls.setDefaultCACertificates(trusted))
  return new URL((await serveHere(server)).replace('http:', 'https:'))
}

async function said(options: Parameters<typeof startGateway>[0], environment = {}): Promise<string> {
  const lines = await checkGateway(await startGateway(options), environment)
  return lines.map(({ text }) => text).join('\n')
}

it.each([
  [
    'behind',
    { fromMs: 2 * DAY_MS, clockMs: 2 * DAY_MS + HOUR_MS },
    /not yet valid → set this machine's clock: it is .+ behind the gateway/,
  ],
  [
    'ahead',
    { fromMs: -3 * DAY_MS, clockMs: -3 * DAY_MS + HOUR_MS },
    /has expired → set this machine's clock: it is .+ ahead of the gateway/,
  ],
])('says that the clock is %s if that is why no certificate is valid', async (_, options, sentence) => {
  const text = await said(options)
  expect(text).toMatch(sentence)
  expect(text).not.toMatch(/proxy|network/i)
})

it('says that the certificate has expired if the clock is right', async () => {
  expect(await said({ fromMs: -3 * DAY_MS })).toMatch(/has expired → .*whoever runs the gateway has to renew/)
})

it('says what the clock shows if nobody knows the time', async () => {
  expect(await said({ fromMs: 2 * DAY_MS, hasClock: false })).toContain(`clock: it says ${new Date().getFullYear()}-`)
})

it('says how to name the authority of a company', async () => {
  expect(await said({ isTrusted: false })).toMatch(/verify.* → .*NODE_EXTRA_CA_CERTS/)
})

it('compares the clocks if the gateway answers', async () => {
  expect(await said({ fromMs: -HOUR_MS })).toMatch(/responded in[\s\S]*Clock: in sync/)
  expect(await said({ fromMs: -HOUR_MS, clockMs: HOUR_MS })).toMatch(/Clock: .+ behind the gateway/)
})
