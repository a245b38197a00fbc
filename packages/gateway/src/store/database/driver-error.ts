/** The driver failed outside of a statement: while it connected, or at the edges of a transaction. */
export class DriverError extends Error {
  override name = 'DriverError'
}

export async function fromDriver<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw new DriverError('The driver of the database failed', { cause: error })
  }
}
