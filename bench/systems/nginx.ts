// nginx from the system's packages, with one worker, as a reverse proxy.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { familyOf, freePort, responds, type System } from './system.ts'

/** Undefined if nginx is not installed. */
export async function startNginx(upstream: System): Promise<System | undefined> {
  if (spawnSync('nginx', ['-v']).status !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'hearth-nginx-'))
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), nginxConfig(folder, port, upstream.port))
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'ignore' })
  await responds(port)
  return {
    name: 'nginx',
    port,
    path: '/v1/chat/completions',
    headers: {},
    isCompiled: true,
    pids: familyOf(child.pid!),
    stop: () => stopNginx(child, folder),
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

async function stopNginx(child: ChildProcess, folder: string): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGQUIT')
  await exited
  rmSync(folder, { recursive: true, force: true })
}
