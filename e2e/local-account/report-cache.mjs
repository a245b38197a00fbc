// Loaded into a process by NODE_OPTIONS: says at its end where the process kept what Node compiled.

import { appendFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'

process.on('exit', () => appendFileSync(String(process.env.REPORT_FILE), `${getCompileCacheDir() ?? 'none'}\n`))
