// Bifrost, if BIFROST names its binary.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopChild } from '../gateway/child.ts'
import { MODEL } from '../gateway/tokens.ts'
import { freePort, responds, type System } from './system.ts'

/** Undefined without a binary. */
export async function startBifrost(upstream: System): Promise<System | undefined> {
  const binary = process.env['BIFROST']
  if (!binary) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'hearth-bifrost-'))
  writeFileSync(join(folder, 'config.json'), JSON.stringify(bifrostConfig(upstream.port)))
  const port = await freePort()
  const child = spawn(binary, ['-app-dir', folder, '-host', '127.0.0.1', '-port', String(port)], { stdio: 'ignore' })
  await responds(port, 30)
  return {
    name: 'bifrost',
    port,
    path: '/v1/chat/completions',
    headers: {},
    isCompiled: true,
    model: `openai/${MODEL}`,
    pids: [child.pid!],
    async stop() {
      await stopChild(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function bifrostConfig(upstreamPort: number): object {
  return {
    config_store: { enabled: false },
    logs_store: { enabled: false },
    providers: {
      openai: {
        keys: [{ name: 'bench', value: 'x', models: [MODEL], weight: 1 }],
        network_config: { base_url: `http://127.0.0.1:${upstreamPort}` },
      },
    },
  }
}
