// Keeps the device connected for as long as the app runs: dials, holds the link, waits, dials again. It never gives up on its own.

import { waitOrAbort } from '../clock.ts'
import { CommandError } from '@hearth/command-line/errors'
import { FRESH, planReconnect, type LinkEnd } from './backoff.ts'
import { runLink, type LinkUser, type LinkWorld } from './run-link.ts'
import { CHECK_MS, wokeUp } from './liveness.ts'
import type { DialRequest } from './socket.ts'

export type LinkNews = { name: 'connecting' } | { name: 'waiting'; why: string; advice?: string; delayMs: number }

export interface KeepLinkedOptions extends LinkWorld {
  /** Called before every dial, so that a new login takes effect without a restart. Throws CommandError if there is no login. */
  identity: () => DialRequest
  user: LinkUser
  random: () => number
  onNews: (news: LinkNews) => void
  /** Abort this signal to end a wait early. Called once per wait. */
  hurry: () => AbortSignal
}

export async function keepLinked(options: KeepLinkedOptions, signal: AbortSignal): Promise<void> {
  let backoff = FRESH
  while (!signal.aborted) {
    options.onNews({ name: 'connecting' })
    const { end, gateway } = await linkOnce(options, signal)
    if (signal.aborted) return
    const plan = planReconnect(backoff, end, options.random)
    backoff = plan.backoff
    options.onNews({ name: 'waiting', ...explain(end, gateway), delayMs: plan.delayMs })
    await waitUnlessAwoken(options, plan.delayMs, signal)
  }
}

async function linkOnce(options: KeepLinkedOptions, signal: AbortSignal): Promise<{ end: LinkEnd; gateway: string }> {
  try {
    const request = options.identity()
    return {
      end: await runLink(options, request, options.user, signal),
      gateway: request.gateway.href.replace(/\/$/, ''),
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { end: { kind: 'lost', why: error.message, linkedMs: 0 }, gateway: '' }
  }
}

/** Never rejects: the loop checks its signal itself. */
async function waitUnlessAwoken(
  { clock, hurry }: KeepLinkedOptions,
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  const awake = new AbortController()
  let lastCheckAt = clock.date().getTime()
  const stop = clock.every(CHECK_MS, () => {
    const wallAt = clock.date().getTime()
    if (wokeUp(lastCheckAt, wallAt)) awake.abort()
    lastCheckAt = wallAt
  })
  await waitOrAbort(clock, delayMs, AbortSignal.any([signal, awake.signal, hurry()]))
  stop()
}

function explain(end: LinkEnd, gateway: string): { why: string; advice?: string } {
  switch (end.kind) {
    case 'restarting':
      return { why: 'the gateway is restarting' }
    case 'credential-rejected':
      return { why: 'this device was removed, or its credential is wrong', advice: 'run hearth-device login' }
    case 'app-too-old':
      return {
        why: 'the gateway no longer supports this version of the device app',
        advice: 'run hearth-device update',
      }
    case 'superseded':
      return {
        why: 'another device app is connected with the same login',
        advice: 'stop it, or run hearth-device login on each machine',
      }
    case 'in-use':
      return {
        why: 'another machine is connected with the login of this one, which happens when a device folder is copied',
        advice: `to give this machine its own login, run hearth-device login ${gateway}`,
      }
    case 'lost':
      return { why: end.why }
    default:
      return end satisfies never
  }
}
