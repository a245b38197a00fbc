// A query is a function of the database and its input. The store offers queries to those who know no database.

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
