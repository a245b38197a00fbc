// Runs beside the gateway's thread: stripping some hundred modules takes a while, and streams must not stand still for it.

import { parentPort, workerData } from 'node:worker_threads'
import { buildHandouts } from './build-handouts.ts'

// That the stripping of types is experimental is known, and says nothing to whoever reads the gateway's log.
process.removeAllListeners('warning')
parentPort?.postMessage(await buildHandouts(workerData as string), [])
