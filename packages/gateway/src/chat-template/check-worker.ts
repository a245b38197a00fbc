import { parentPort, workerData } from 'node:worker_threads'
import { templateProblem } from './template-problem.ts'

parentPort?.postMessage({ problem: templateProblem(workerData as string) }, [])
