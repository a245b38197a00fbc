// LiteLLM's proxy from PyPI, installed in a virtual environment in bench/peers when it is first asked for, or the command in LITELLM.

import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopChild } from '../gateway/child.ts'
import { MODEL } from '../gateway/tokens.ts'
import { familyOf, freePort, responds, type System } from './system.ts'

const environment = fileURLToPath(new URL('../peers/litellm', import.meta.url))
const START_SECONDS = 120

/** Undefined if it cannot be installed. */
export async function startLiteLlm(upstream: System): Promise<System | undefined> {
  const command = process.env['LITELLM'] ?? join(environment, 'bin/litellm')
  if (!existsSync(command)) install()
  if (!existsSync(command)) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'hearth-litellm-'))
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify(liteLlmConfig(upstream.port)))
  const port = await freePort()
  // LiteLLM doesn't start without a key, and ours checks one too.
  const key = `sk-${randomBytes(32).toString('hex')}`
  const child = spawn(command, ['--config', config, '--host', '127.0.0.1', '--port', String(port)], {
    stdio: 'ignore',
    env: { ...process.env, LITELLM_MASTER_KEY: key },
  })
  await responds(port, START_SECONDS)
  return {
    name: 'litellm',
    port,
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    pids: familyOf(child.pid!),
    async stop() {
      await stopChild(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function install(): void {
  spawnSync('python3', ['-m', 'venv', environment], { stdio: 'ignore' })
  spawnSync(join(environment, 'bin/pip'), ['install', '--quiet', 'litellm[proxy]'], { stdio: 'ignore' })
}

// JSON is YAML too.
function liteLlmConfig(upstreamPort: number): object {
  const parameters = { model: `openai/${MODEL}`, api_key: 'x', api_base: `http://127.0.0.1:${upstreamPort}/v1` }
  return { model_list: [{ model_name: MODEL, litellm_params: parameters }] }
}
