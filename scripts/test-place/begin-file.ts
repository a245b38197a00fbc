// Runs in front of every test file.

import { homedir } from 'node:os'
import { endWithThisProcess } from './end-with-this-process.ts'

endWithThisProcess()
// The checkout may have the data of a Hearth in `./data`; this folder has not.
process.chdir(homedir())
