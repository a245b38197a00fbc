// Runs in its own thread: stripping the types of several hundred modules takes a while, and must not hold up streams.

import { parentPort, workerData } from 'node:worker_threads'
import { buildHandouts } from './build-handouts.ts'
import { PACKINGS, type PackingName } from './packing.ts'

// Node warns that type stripping is experimental. We know, and it does not help anyone who reads the gateway's log.
process.removeAllListeners('warning')
const { root, name } = workerData as { root: string; name: PackingName }
parentPort?.postMessage(await buildHandouts(root, PACKINGS[name]), [])
