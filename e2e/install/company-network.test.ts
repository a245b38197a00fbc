// A machine in a company network: a proxy alone finds the gateway, and the company has signed its certificate itself.

import { createServer } from 'node:https'
import { fileURLToPath } from 'node:url'
import { hashOf, makeArchive } from '@hearth/command-line/testing/app-gateway'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { testAuthority } from '@hearth/command-line/testing/test-authority'
import { startTunnelProxy } from '@hearth/command-line/testing/tunnel-proxy'
import { expect, it } from 'vitest'
import { buildHandouts } from '../../packages/gateway/src/device-app/build-handouts.ts'
import { PACKINGS } from '../../packages/gateway/src/device-app/packing.ts'
import { anotherMachine } from '../harness/processes/another-machine.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const HOST = 'hearth.test'
/** The first byte of TLS. */
const HANDSHAKE = 22

/** Hands out the real installer, and an app without packages. */
async function startGateway() {
  const { installer } = await buildHandouts(ROOT, PACKINGS.seal)
  const manifest = { name: 'hearth-seal', version: '1.0.0', type: 'module' }
  const app = makeArchive({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': manifest } }),
    'src/main.js': '',
  })
  const notice = JSON.stringify({ version: manifest.version, sha256: hashOf(app), bytes: app.length })
  const files = new Map<string, Uint8Array | string>([
    ['/seal/v1/installer.tgz', installer.content],
    ['/seal/v1/app.json', notice],
    ['/seal/v1/app.tgz', app],
  ])
  const authority = await testAuthority()
  const server = createServer(await authority.issue([HOST]), ({ url = '' }, response) => {
    response.writeHead(files.has(url) ? 200 : 404).end(files.get(url))
  })
  return { authority, port: new URL(await serveHere(server)).port }
}

it('the pasted line installs from an encrypted gateway that only the proxy finds, which sees nothing but TLS', async () => {
  const { authority, port } = await startGateway()
  const proxy = await startTunnelProxy({ password: 'ann:s cret', names: { [HOST]: '127.0.0.1' } })
  using machine = anotherMachine()
  const network = `HTTPS_PROXY=${proxy.url.replace('//', '//ann:s%20cret@')} NODE_EXTRA_CA_CERTS=${authority.file}`
  // The person's own npm may have a file, which counts instead.
  const trust = `npm_config_cafile=${authority.file}`
  const gateway = `https://${HOST}:${port}`
  const line = machine.paste(
    `env ${network} ${trust} npm exec --yes --package=${gateway}/seal/v1/installer.tgz -- hearth-seal-install ${gateway}`,
  )
  await line.heard(/Checksum OK/)
  await line.exited
  expect(new Set(proxy.tunnels)).toStrictEqual(new Set([`${HOST}:${port}`]))
  expect(proxy.requests).toStrictEqual([])
  // npm's, and those of the installer: the notice and the archive.
  expect(proxy.sent.length).toBeGreaterThanOrEqual(3)
  for (const bytes of proxy.sent) {
    const wire = Buffer.concat(bytes)
    expect([wire[0], wire.includes('GET ')]).toStrictEqual([HANDSHAKE, false])
  }
})
