import { useDatabases } from '../testing/databases.ts'
import { describeConsole } from './console-api.contract.ts'

for (const { name, create } of useDatabases()) describeConsole(name, create)
