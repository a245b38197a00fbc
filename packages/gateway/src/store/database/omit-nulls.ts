// The database uses null where the rest of the product leaves the field out.

type Present<Row> = { [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name] } & {
  [Name in keyof Row as null extends Row[Name] ? Name : never]?: NonNullable<Row[Name]>
}

export function omitNulls<Row extends object>(row: Row): Present<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Present<Row>
}
