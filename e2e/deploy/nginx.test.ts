// The nginx example in front of a real gateway.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { numberedText, ScriptedDevice } from '@hearth/gateway/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Client } from '../harness/client/client.ts'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { freePort } from '@hearth/gateway/local-servers'
import { mostSealedBytes } from '../../packages/gateway/src/chat/prepare-sealed.ts'
import { isInstalled } from '../harness/leave-out.ts'
import { HI, LONELY, startSystem } from '../harness/start-system.ts'

const EXAMPLE = readFileSync(new URL('../../deploy/nginx/hearth.conf', import.meta.url), 'utf8')
const MIB = 1024 * 1024
const TOKENS = 40

/** Puts the example into a complete configuration that needs no privileges. Its paths begin in its folder, whose own may have spaces. */
function writeConfiguration(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-nginx-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  const path = join(folder, 'nginx.conf')
  writeFileSync(join(folder, 'hearth.conf'), text.replaceAll('/etc/ssl/', ''))
  writeFileSync(
    path,
    `daemon off; master_process off; pid pid; error_log stderr;\nevents {}\nhttp { access_log off; ${temporary.join(' ')} include hearth.conf; }\n`,
  )
  return path
}

/** Before nginx reads its configuration, it opens the system's log, which an ordinary user may not. */
function ownFiles(configuration: string): string[] {
  return ['-c', configuration, '-e', 'stderr', '-p', join(configuration, '..')]
}

/** Without the certificate, which does not matter for proxying. */
async function startNginx(gateway: string): Promise<string> {
  const port = await freePort()
  const text = EXAMPLE.replace('server 127.0.0.1:8080;', `server ${new URL(gateway).host};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^\s*ssl_.*$/gm, '')
  const child = spawn('nginx', ownFiles(writeConfiguration(text)), { stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGQUIT')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const origin = `http://127.0.0.1:${port}`
  while (child.exitCode === null && !(await answers(`${origin}/healthz`)));
  return origin
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

describe.runIf(isInstalled('nginx', '-v', 'deploy/nginx/hearth.conf'))('the nginx example', () => {
  it('is accepted by nginx', async () => {
    // nginx binds the port even to check a configuration.
    const configuration = writeConfiguration(EXAMPLE.replace('443', `127.0.0.1:${await freePort()}`))
    const files = ['-keyout', 'hearth.key', '-out', 'hearth.pem']
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=hearth.example.com']
    execFileSync('openssl', [...request, ...files], { cwd: join(configuration, '..'), stdio: 'ignore' })
    execFileSync('nginx', ['-t', ...ownFiles(configuration)], { stdio: 'ignore' })
  })

  it('passes on device links, tokens as they arrive, disconnected clients and large requests', async () => {
    await using system = await startSystem({ devices: 'none' })
    const origin = await startNginx(system.origin)
    const goOn = Promise.withResolvers<void>()
    const plan = { tokens: TOKENS, stall: { at: TOKENS / 2, until: goOn.promise } }
    const credential = await system.enrol('home')
    await using device = await ScriptedDevice.connect({
      gateway: origin,
      credential,
      models: [{ name: LONELY, slots: 4 }],
      plan,
    })
    const client = new Client(`${origin}/openai/v1`, system.keys.home)

    const { events } = await client.openStream({ model: LONELY, messages: HI })
    let text = ''
    for await (const event of events) {
      if (event.kind === 'chunk') text += event.chunk.choices[0]?.delta.content ?? ''
      // Half of the answer has arrived while the other half does not exist yet.
      if (text === numberedText(TOKENS / 2)) goOn.resolve()
    }
    expect(text).toBe(numberedText(TOKENS))

    const never = Promise.withResolvers<void>()
    device.plan = { tokens: TOKENS, stall: { at: 5, until: never.promise } }
    const leaving = new AbortController()
    const left = await client.openStream({ model: LONELY, messages: HI }, { signal: leaving.signal })
    await left.events.next()
    leaving.abort()
    await system.metricReaches('hearth_leases', 0)

    device.plan = {}
    const long = [{ role: 'user', content: 'x'.repeat(19 * MIB) }]
    expectCompletion(await client.post({ model: LONELY, messages: long }))
    const tooLong = [{ role: 'user', content: 'x'.repeat(20 * MIB) }]
    expectError(await client.post({ model: LONELY, messages: tooLong }), { status: 413, code: 'request_too_large' })
    const most = mostSealedBytes(20 * MIB)
    const sealed = new Client(`${origin}/sealed/v1`, system.keys.home)
    // Not JSON, which only a gateway that got all of it can tell.
    expectError(await sealed.post(Buffer.alloc(most, 'x')), { status: 400, code: 'invalid_json' })
    expectError(await sealed.post(Buffer.alloc(most + 1, 'x')), { status: 413, code: 'request_too_large' })
    expect((await fetch(`${origin}/metrics`)).status).toBe(404)
  })
})
