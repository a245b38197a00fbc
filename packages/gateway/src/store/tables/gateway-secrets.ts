import { pgTable, text } from 'drizzle-orm/pg-core'

/** The gateway's own secrets. They are encrypted, unless the gateway has no key: with PostgreSQL, only SESSION_SECRET gives it one. */
export const gatewaySecret = pgTable('gateway_secret', { name: text().primaryKey(), value: text().notNull() })
