import { useState } from 'react'

/** What follows # in a one-time link: browsers send it to no server. Empty when the link was cut. */
export function useSecretInAddress(): string {
  const [secret] = useState(() => decodeURIComponent(window.location.hash.slice(1)))
  return secret
}
