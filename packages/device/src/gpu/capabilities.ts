// The compute capabilities of this machine's NVIDIA cards, which say whose machine code they run: 9.0 for an H200.

import type { RunCommand } from '../system/run-command.ts'

const ASK_MS = 10_000

/** Each once and in order. Empty if nothing on this machine knows them. */
export async function askCapabilities(run: RunCommand, toolkit?: string): Promise<readonly string[]> {
  const smi = await run('nvidia-smi', ['--query-gpu=compute_cap', '--format=csv,noheader'], { timeoutMs: ASK_MS })
  const said = smi.code === 0 ? (smi.stdout.match(/^\d+\.\d$/gm) ?? []) : []
  if (said.length > 0 || toolkit === undefined) return inOrder(said)
  // Comes with nvcc, for machines whose driver came without tools. It prints 90, or 86,90.
  const query = await run(`${toolkit}/bin/__nvcc_device_query`, [], { timeoutMs: ASK_MS })
  const codes = query.code === 0 ? (query.stdout.match(/\b\d{2,3}\b/g) ?? []) : []
  return inOrder(codes.map((code) => `${code.slice(0, -1)}.${code.slice(-1)}`))
}

function inOrder(capabilities: readonly string[]): readonly string[] {
  return [...new Set(capabilities)].toSorted((a, b) => Number(a) - Number(b))
}
