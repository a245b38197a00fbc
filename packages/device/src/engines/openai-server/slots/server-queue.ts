// Reads what vLLM says of its requests. No other server tells how many wait.

import { asFields, count } from '@hearth/sealing/fields'
import { call, readText } from '../http/http-call.ts'
import type { ServerAddress } from '../http/server-address.ts'
import { askQuietly } from '../server/product.ts'
import type { ServerQueue } from './learned-slots.ts'

const ASK_MS = 2_000
const MAX_METRICS_BYTES = 4 * 1024 * 1024
const GAUGE = /^vllm:num_requests_(running|waiting)(?:\{[^}]*\})? ([\d.e+]+)$/gm

/** Undefined if the server doesn't say. */
export async function readQueue(address: ServerAddress, signal: AbortSignal): Promise<ServerQueue | undefined> {
  const answer = await call(address, '/metrics', undefined, AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]))
  const metrics = await readText(answer.body, MAX_METRICS_BYTES)
  const gauges = [...metrics.matchAll(GAUGE)].map(([, name, value]) => ({ name, value: Number(value) }))
  if (answer.status !== 200 || gauges.length === 0) return undefined
  // One of each for every engine.
  const sum = (of: string): number =>
    gauges.reduce((total, { name, value }) => (name === of ? total + value : total), 0)
  return { running: sum('running'), waiting: sum('waiting') }
}

/** The most requests that vLLM answers at once. It says so only in its development mode. */
export async function readMostRequests(address: ServerAddress, signal: AbortSignal): Promise<number | undefined> {
  const info = asFields(await askQuietly(address, '/server_info?config_format=json', signal))
  return count(asFields(asFields(info['vllm_config'])['scheduler_config']), 'max_num_seqs') || undefined
}
