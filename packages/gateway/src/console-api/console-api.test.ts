import { useDatabases } from '../testing/databases.ts'
import { describeConsole } from './console-api.contract.ts'

const [, { name, create }] = useDatabases()
describeConsole(name, create)
