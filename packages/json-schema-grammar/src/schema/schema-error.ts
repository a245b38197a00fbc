// Why a schema can't be enforced. Names the keyword and where it stands, so that the caller finds it.

export class SchemaError extends Error {
  override name = 'SchemaError'
  /** A JSON pointer into the schema. */
  readonly path: string

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`)
    this.path = path
  }
}

/** There is no such value at all; as one of several alternatives it is simply left out. */
export class NothingFits extends SchemaError {
  override name = 'NothingFits'
}

export function below(path: string, ...steps: (string | number)[]): string {
  return [path, ...steps.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
}
