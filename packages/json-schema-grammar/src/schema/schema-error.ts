// Says why a schema can't be enforced, with the keyword and its place, so that the author of the
// schema finds it.

export class SchemaError extends Error {
  override name = 'SchemaError'
  /** A JSON pointer into the schema, like "#/properties/name". */
  readonly path: string
  /** The keyword to blame, if the path leads to the schema around it. */
  readonly keyword: string | undefined

  constructor(path: string, reason: string, keyword?: string) {
    super(`${path}: ${reason}`)
    this.path = path
    this.keyword = keyword
  }
}

/** No value can match. As one of several alternatives, such a schema is just left out. */
export class NothingFits extends SchemaError {
  override name = 'NothingFits'
}

/** Working the schema out costs too much, so nothing else is tried. */
export class TooComplex extends SchemaError {
  override name = 'TooComplex'
}

export function below(path: string, ...steps: (string | number)[]): string {
  let pointer = path
  for (const step of steps) pointer += `/${typeof step === 'number' ? step : escapeStep(step)}`
  return pointer
}

function escapeStep(step: string): string {
  return /[~/]/.test(step) ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step
}
