import { parentPort, workerData } from 'node:worker_threads'
import { templateProblem } from './template-problem.ts'

// Node warns that type stripping is experimental. We know, and it does not help anyone who reads the gateway's log.
process.removeAllListeners('warning')
parentPort?.postMessage({ problem: templateProblem(workerData as string) }, [])
