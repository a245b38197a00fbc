// Seals a prepared request for the devices that may read it.

import { createHmac, randomBytes } from 'node:crypto'
import { type PreparedChat, estimateTokens } from '@hearth/chat'
import { type ContentKey, sealJob, type SealedHeader, type SealedPrefix, type TrustedDevice } from '@hearth/sealing'
import { MAX_SEAL_KEYS } from '@hearth/protocol'
import { noDevices } from './proxy-errors.ts'
import type { KnownSeal } from './seal-cache.ts'
import type { OnlineDevice } from '../gateway/seal-information.ts'

/** The gateway gets the prompt's length in steps of so many tokens, and of prefixes in steps of so many characters. */
const TOKEN_STEP = 64
const PREFIX_STEP = 256

interface SealedChat {
  /** JSON for the gateway. */
  body: string
  contentKey: ContentKey
}

/** `affinity` is a secret of this process; without one, the gateway can't see that two requests begin the same. */
export async function sealChat(
  chat: PreparedChat,
  { trusted, online }: KnownSeal,
  affinity: Uint8Array | undefined,
): Promise<SealedChat> {
  const devices = chooseDevices(trusted.devices, online)
  if (devices.length === 0) throw noDevices()
  const header = writeHeader(chat, trusted.organization, affinity)
  const { body, contentKey } = await sealJob({ header, job: chat.text, devices })
  return { body: JSON.stringify(body), contentKey }
}

function writeHeader(
  { shape, size, stream }: PreparedChat,
  organization: string,
  affinity: Uint8Array | undefined,
): SealedHeader {
  const { answerLimit, promptSize, prefixes } = size
  return {
    version: 1,
    organization,
    id: randomBytes(16).toString('base64url'),
    sealedAt: Date.now(),
    model: shape.model,
    features: [...new Set([...shape.demands.map(({ feature }) => feature), 'sealed'])],
    stream,
    choices: shape.choices,
    promptTokens: roundUp(estimateTokens(promptSize), TOKEN_STEP),
    ...(answerLimit !== undefined && { maxTokens: answerLimit / shape.choices }),
    ...(affinity && { prefixes: prefixes.map(({ hash, size }) => keyedPrefix(affinity, hash, size)) }),
  }
}

function keyedPrefix(affinity: Uint8Array, hash: number, size: number): SealedPrefix {
  const keyed = createHmac('sha256', affinity).update(`${hash}`).digest()
  return { hash: keyed.readUInt32BE(0), size: roundUp(size, PREFIX_STEP) }
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step
}

/**
 * For whom a job is sealed: devices that the seal approves, with the key that it approves, and never any other. Those that are online with
 * the model come first, in the gateway's order, which has most room first. Others follow, so that a job can wait for one that comes back.
 * What the gateway says about a device decides about its place alone.
 */
function chooseDevices(trusted: readonly TrustedDevice[], online: readonly OnlineDevice[]): TrustedDevice[] {
  const byId = new Map(trusted.map((device) => [device.id, device]))
  const first = new Set(online.flatMap(({ id }) => byId.get(id) ?? []))
  const others = trusted.filter((device) => !first.has(device))
  return [...first, ...others].slice(0, MAX_SEAL_KEYS)
}
