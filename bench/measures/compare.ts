interface Compared<Result> {
  ours: Result
  figures: { hearth: string; other?: string }
}

/** Measures this checkout and, if there is one, the other. */
export async function compare<Result>(
  measure: (checkout?: string) => Promise<Result>,
  format: (result: Result) => string,
  against: string | undefined,
): Promise<Compared<Result>> {
  const ours = await measure()
  const other = against === undefined ? undefined : await measure(against)
  return { ours, figures: { hearth: format(ours), ...(other && { other: format(other) }) } }
}
