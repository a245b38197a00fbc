/** The secrets in the database are encrypted with a key that is not here. The message is for the operator. */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError'
}
