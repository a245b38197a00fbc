#!/usr/bin/env node
// The operator's command line: `npm run admin -- <command>`. Works on the same store as the gateway, also while it runs; the gateway
// notices a change within a second.

import { enableCompileCache } from 'node:module'

enableCompileCache()
// Only what is loaded after this line is cached.
const { runCommandLine } = await import('./command-line.ts')
process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  print: (text) => console.log(text),
  complain: (text) => console.error(text),
})
