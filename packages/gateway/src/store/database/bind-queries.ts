// A query is a function of the database and its input. The store offers queries to those who know no database.

import type { Database, Handle } from './database.ts'

/** The same functions without their first parameter. */
export type Bound<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (context: never, ...input: infer Input) => infer Output
    ? (...input: Input) => Output
    : never
}

type Query<Context> = (context: Context, ...input: never[]) => unknown

export function bindQueries<Context, Queries extends Record<string, Query<Context>>>(
  context: Context,
  queries: Queries,
): Bound<Queries> {
  const bound = Object.entries(queries).map(([name, query]) => [name, query.bind(undefined, context)])
  return Object.fromEntries(bound) as Bound<Queries>
}

type InTransaction<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (transaction: never, ...input: infer Input) => infer Output
    ? (database: Database, ...input: Input) => Output
    : never
}

/** Queries that make a transaction each, whose handle they get. */
export function inTransaction<
  Queries extends Record<string, (transaction: Handle, ...input: never[]) => Promise<unknown>>,
>(queries: Queries): InTransaction<Queries> {
  const all = Object.entries(queries).map(([name, query]) => [
    name,
    ({ transact }: Database, ...input: never[]) => transact((transaction) => query(transaction, ...input)),
  ])
  return Object.fromEntries(all) as InTransaction<Queries>
}
