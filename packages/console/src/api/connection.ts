// Whether the gateway responds, for everyone who shows it: 'lost' once the gateway stops responding, 'without-database' once its database does.

import { SharedValue } from '../lib/shared-value.ts'

type Connection = 'connecting' | 'open' | 'lost' | 'without-database'

export const connection = new SharedValue<Connection>('connecting')
