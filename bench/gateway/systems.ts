// The systems under test, all with the same answer behind them: our gateway with a device on a link, nginx and Portkey's gateway in front of
// the upstream server, and the upstream server alone as the baseline.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextMessage, startChild, stopChild } from './child.ts'
import { seed, type SeedSize } from './seed.ts'

export interface System {
  name: string
  port: number
  path: string
  headers: Record<string, string>
  /** The processes whose CPU time and memory count. */
  pids: number[]
  stop(): Promise<void>
}

const here = fileURLToPath(new URL('.', import.meta.url))

export async function startUpstream(): Promise<System> {
  const child = startChild('upstream.ts')
  const { port } = await nextMessage<{ port: number }>(child)
  return {
    name: 'upstream',
    port,
    path: '/v1/chat/completions',
    headers: {},
    pids: [child.pid!],
    stop: () => stopChild(child),
  }
}

export interface HearthOptions {
  frames?: 'joined' | 'separate' | 'together'
  /** Streams stay open after their first token. */
  holds?: boolean
  size?: SeedSize
  /** Devices produce tokens at the pace of a real one. */
  paced?: boolean
  /** Another checkout of this repository, with its packages installed, to compare with. */
  checkout?: string
}

export async function startHearth({
  frames = 'separate',
  holds = false,
  size = { keys: 1, devices: 1 },
  paced = false,
  checkout,
}: HearthOptions = {}): Promise<System> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-'))
  const { key, credentials } = await seed(`pglite:${folder}`, size)
  const gateway = spawn(process.execPath, [join(checkout ?? join(here, '../..'), 'packages/gateway/src/main.ts')], {
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: `pglite:${folder}`,
      QUEUE_PER_KEY: '100000',
      QUEUE_PER_ORGANIZATION: '100000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await listeningPort(gateway)
  const device = startChild(paced ? '../load/paced-device.ts' : 'bench-device.ts', {
    LINK: `ws://127.0.0.1:${port}/device/v1/link`,
    CREDENTIALS: credentials.join(','),
    FRAMES: frames,
    ...(holds && { HOLD: '1' }),
  })
  await nextMessage(device)
  return {
    name: `${checkout === undefined ? 'hearth' : 'other'}, ${frames}`,
    port,
    path: '/openai/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    pids: [gateway.pid!],
    async stop() {
      await stopChild(device)
      await stopChild(gateway)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Undefined if nginx is not installed. */
export async function startNginx(upstream: System): Promise<System | undefined> {
  if (spawnSync('nginx', ['-v']).status !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'hearth-nginx-'))
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), nginxConfig(folder, port, upstream.port))
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'ignore' })
  await answers(port)
  return {
    name: 'nginx',
    port,
    path: '/v1/chat/completions',
    headers: {},
    pids: [child.pid!, ...childrenOf(child.pid!)],
    stop: () => stopNginx(child, folder),
  }
}

/** Undefined if Portkey's gateway cannot be installed. */
export async function startPortkey(upstream: System): Promise<System | undefined> {
  const peers = join(here, '../peers')
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
  await answers(port)
  const headers = {
    authorization: 'Bearer x',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `http://127.0.0.1:${upstream.port}/v1`,
  }
  return {
    name: 'portkey',
    port,
    path: '/v1/chat/completions',
    headers,
    pids: [child.pid!],
    stop: () => stopChild(child),
  }
}

function nginxConfig(folder: string, port: number, upstreamPort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  mkdirSync(join(folder, 'logs'), { recursive: true })
  return `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 4096; }
http { access_log off; ${temporary.join(' ')}
  upstream model { server 127.0.0.1:${upstreamPort}; keepalive 256; }
  server { listen 127.0.0.1:${port}; keepalive_requests 1000000;
    location / { proxy_pass http://model; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; } } }
`
}

async function listeningPort(gateway: ChildProcess): Promise<number> {
  let log = ''
  for await (const text of gateway.stdout!.setEncoding('utf8')) {
    log += String(text)
    const port = /"port":(\d+)[^\n]*"listening"/.exec(log)?.[1]
    if (port) {
      gateway.stdout!.resume()
      return Number(port)
    }
  }
  throw new Error('Cannot measure: the gateway exited before it was listening')
}

async function stopNginx(child: ChildProcess, folder: string): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGQUIT')
  await exited
  rmSync(folder, { recursive: true, force: true })
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await sleep(50)
  }
  throw new Error(`Cannot measure: nothing responds on port ${port}`)
}
