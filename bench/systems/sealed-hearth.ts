// Our gateway with an organization that has a seal and has approved all its devices, and `hearth-seal proxy` in front of it.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  newAgreementKey,
  newSigningKey,
  sealJob,
  sealText,
  writeDeviceList,
  type AgreementKey,
  type SigningKey,
} from '@hearth/sealing'
import { stopChild } from '../gateway/child.ts'
import { MODEL, requestBody } from '../gateway/tokens.ts'
import { printed, startHearth, type Hearth, type HearthOptions } from './hearth.ts'
import type { System } from './system.ts'

const SEAL_MAIN = fileURLToPath(new URL('../../packages/seal/src/main.ts', import.meta.url))

export interface SealedHearth {
  hearth: Hearth
  seal: string
  /** The same gateway, for clients that seal their requests themselves. They don't open the reply. */
  sealed: Hearth
}

export async function startSealedHearth(options: Omit<HearthOptions, 'sealing'>): Promise<SealedHearth> {
  const [root, key] = [newSigningKey(), newAgreementKey()]
  const seal = sealText(root.publicKey, 'hs')
  const hearth = await startHearth({ ...options, sealing: { seal, key } })
  const ids = await onlineDevices(hearth)
  await approve(ids, hearth, root, key)
  const body = await sealedBody(ids, hearth.organization, key)
  const sealed = { ...hearth, name: `${hearth.name}, sealed`, path: '/sealed/v1/chat/completions', body }
  return { hearth, seal, sealed }
}

/** `hearth-seal proxy` as people run it. */
export async function startSealProxy({ hearth, seal }: SealedHearth): Promise<System> {
  const home = mkdtempSync(join(tmpdir(), 'hearth-bench-'))
  const child = spawn(process.execPath, [SEAL_MAIN, 'proxy', '--port', '0'], {
    env: {
      ...process.env,
      HEARTH_URL: originOf(hearth),
      HEARTH_SEAL: seal,
      HEARTH_SEAL_HOME: home,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = Number(await printed(child.stdout, /(?<=127\.0\.0\.1:)\d+(?=\/openai)/))
  return {
    ...hearth,
    name: `${hearth.name}, through hearth-seal`,
    port,
    pids: [child.pid!],
    async stop() {
      await stopChild(child)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function onlineDevices(hearth: Hearth): Promise<string[]> {
  const answer = await fetch(`${originOf(hearth)}/sealed/v1/seal?model=${MODEL}`, { headers: hearth.headers })
  const { online } = (await answer.json()) as { online: { id: string }[] }
  return online.map(({ id }) => id)
}

async function approve(ids: readonly string[], hearth: Hearth, root: SigningKey, key: AgreementKey): Promise<void> {
  const { organization, headers } = hearth
  const devices = ids.map((id) => ({ id, name: id, key: key.publicKey, from: 0 }))
  const list = writeDeviceList({ organization, number: 1, signedAt: Date.now(), devices }, root)
  const answer = await fetch(`${originOf(hearth)}/sealed/v1/seal`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ devices: list }),
  })
  if (!answer.ok) throw new Error(`Cannot measure: the gateway rejects the list of devices: ${await answer.text()}`)
}

/** The usual request. A gateway can't tell that it is always the same. */
async function sealedBody(ids: readonly string[], organization: string, { publicKey }: AgreementKey): Promise<string> {
  const header = {
    version: 1,
    organization,
    id: Buffer.alloc(16).toString('base64url'),
    sealedAt: Date.now(),
    model: MODEL,
    features: ['sealed'],
    stream: true,
    choices: 1,
    promptTokens: 128,
    maxTokens: 256,
  } as const
  const devices = ids.map((id) => ({ id, key: publicKey }))
  const { body } = await sealJob({ header, job: requestBody(true), devices })
  return JSON.stringify(body)
}

function originOf({ port }: System): string {
  return `http://127.0.0.1:${port}`
}
