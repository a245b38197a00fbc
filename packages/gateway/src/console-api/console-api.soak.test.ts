import { inject } from 'vitest'
import { useDatabases } from '../testing/databases.ts'
import { describeConsole } from './console-api.contract.ts'

// The store's own contract runs on both databases every time.
const [embedded, postgres] = useDatabases()
for (const { name, create } of inject('isLongRun') ? [embedded, postgres] : [postgres]) describeConsole(name, create)
