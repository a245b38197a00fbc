import { pgTable, text } from 'drizzle-orm/pg-core'

/** The gateway's own secrets, if no setting provides them. The only secrets stored in plain text. */
export const gatewaySecret = pgTable('gateway_secret', { name: text().primaryKey(), value: text().notNull() })
