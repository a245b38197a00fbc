// How a gateway takes new work while it is busy. Every line says whether the target is met.

import { measureAccepting, type Accepting } from './accepting.ts'

/** A new connection needs two turns of the event loop: one to be taken, one to be read. One that is open already needs one. */
const TURNS = 2

export async function printLoad(against: string | undefined): Promise<void> {
  for (const checkout of against === undefined ? [undefined] : [undefined, against])
    printAccepting(checkout === undefined ? 'hearth' : 'other', await measureAccepting(checkout))
}

function printAccepting(name: string, { fresh, kept, cpuShare, tokensPerSecond }: Accepting): void {
  const ratio = fresh.p50 / kept.p50
  console.log(
    `\n300 clients connect at once while 1,000 streams run (${name}: ${Math.round(tokensPerSecond)} tokens/s, ${cpuShare.toFixed(2)} of a core)`,
  )
  console.log(`  first byte of /healthz: p50 ${format(fresh.p50)}, last ${format(fresh.last)}`)
  console.log(`  the same over open connections: p50 ${format(kept.p50)}, last ${format(kept.last)}`)
  console.log(`  ${ratio <= TURNS ? 'met    ' : 'NOT MET'} · new ÷ open, p50: ${ratio.toFixed(1)} (target: ${TURNS})`)
}

function format(ms: number): string {
  return `${ms.toFixed(0)} ms`
}
