// The database uses null where the rest of the product leaves the field out.

import type { Column, GetColumnData, SQL } from 'drizzle-orm'

export type Present<Row> = { [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name] } & {
  [Name in keyof Row as null extends Row[Name] ? Name : never]?: NonNullable<Row[Name]>
}

type DataOf<Selected> = Selected extends Column
  ? GetColumnData<Selected>
  : Selected extends SQL<infer Data>
    ? Data
    : never

/** What a query of these columns finds, without nulls. */
export type RowOf<Columns> = Present<{ [Name in keyof Columns]: DataOf<Columns[Name]> }>

/** What a query finds, without nulls. */
export type FoundBy<Select extends (...parts: never[]) => PromiseLike<object[]>> = Present<
  Awaited<ReturnType<Select>>[number]
>

export function omitNulls<Row extends object>(row: Row): Present<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Present<Row>
}
