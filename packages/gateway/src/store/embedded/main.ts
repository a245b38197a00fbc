#!/usr/bin/env node
// A process that keeps the embedded database of a folder running: `main.ts <folder>`. It ends with its parent, and then the server does too.
// `--for-parent` is for a gateway's own database: only the parent's end stops it, because terminals and service managers send their signals to
// both processes, and the gateway still writes while it finishes. Without it, SIGTERM stops it too, and while another process serves the
// folder, it waits to take over.

import { setTimeout as sleep } from 'node:timers/promises'
import { openCompileCache } from '@hearth/command-line/program/compile-cache'
import { leaveSignalsToParent } from '@hearth/command-line/processes/stop-signals'
import { guardMemory } from '@hearth/command-line/program/guard-memory'
import { becomeOwner } from './account.ts'
import { explainStartError } from './explain-start-error.ts'
import { keepServer } from './keep-server.ts'

openCompileCache()
guardMemory()
const LOOK_AGAIN_MS = 250
const [folder = './data', mode] = process.argv.slice(2)
const isForParent = mode === '--for-parent'
const stopping = new AbortController()

leaveSignalsToParent()
process.once('disconnect', () => stopping.abort())
if (!isForParent) process.on('SIGTERM', () => stopping.abort())
// Its output may have no reader anymore.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
try {
  becomeOwner(folder)
  await keep()
  process.exit(0)
} catch (error) {
  console.error(explainStartError(error, folder))
  process.exit(1)
}

async function keep(): Promise<void> {
  let isAnnounced = false
  const onReady = () => {
    if (!isAnnounced) console.log('database is ready')
    isAnnounced = true
  }
  while (!stopping.signal.aborted) {
    const result = await keepServer({ folder, signal: stopping.signal, onReady, onNotice: (text) => console.log(text) })
    if (result === 'served-elsewhere') onReady()
    if (result === 'stopped' || isForParent) return
    await sleep(LOOK_AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
}
