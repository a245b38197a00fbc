// Portkey's gateway from npm, installed in bench/peers when it is first needed.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopChild } from '../gateway/child.ts'
import { freePort, responds, type System } from './system.ts'

const peers = fileURLToPath(new URL('../peers', import.meta.url))

/** Undefined if it cannot be installed. */
export async function startPortkey(upstream: System): Promise<System | undefined> {
  const main = join(peers, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  if (!existsSync(main))
    spawnSync('npm', ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'], {
      cwd: peers,
      stdio: 'ignore',
    })
  if (!existsSync(main)) return undefined
  const port = await freePort()
  const child = spawn(process.execPath, [main, `--port=${port}`, '--headless'], {
    cwd: peers,
    stdio: 'ignore',
    env: { ...process.env, TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
  })
  await responds(port)
  return {
    name: 'portkey',
    port,
    path: '/v1/chat/completions',
    headers: {
      authorization: 'Bearer x',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://127.0.0.1:${upstream.port}/v1`,
    },
    pids: [child.pid!],
    stop: () => stopChild(child),
  }
}
