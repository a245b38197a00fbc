// `npm start` on a machine whose person has set a proxy for everything, and exempted nothing.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startTunnelProxy } from '@hearth/command-line/testing/tunnel-proxy'
import { afterAll, expect, it } from 'vitest'
import { runProgram } from '../harness/processes/program.ts'
import { startLauncher } from '../harness/processes/launcher-process.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'
import { newPlace } from './new-place.ts'

const place = await newPlace()
afterAll(() => place[Symbol.asyncDispose]())

it('shows the proxy nothing of what stays on the machine', async () => {
  const proxy = await startTunnelProxy()
  // With the last one, Node itself would use it for everything.
  const environment = { http_proxy: proxy.url, HTTP_PROXY: proxy.url, ALL_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' }
  await using launcher = startLauncher([...place.flags, '--model', TINY_PATH], environment)
  // The device has joined, is connected and has answered: otherwise the panel would say why not.
  await launcher.heard(/Press Ctrl-C to stop/)
  expect(launcher.output()).toContain(`Base URL   http://127.0.0.1:${place.port}/openai/v1\n`)
  const [line] = await launcher.heard(/^ {2}curl .*$/m)
  const shell = { env: { ...process.env, ...environment } }
  const { stdout } = await promisify(execFile)('sh', ['-c', line], shell)
  expect(stdout).toContain('"choices"')
  const status = await runProgram('packages/hearth/src/main.ts', ['status', '--data', place.data], { environment })
  expect(status).toMatch(/tiny/)
  expect([proxy.requests, proxy.tunnels]).toStrictEqual([[], []])
})
