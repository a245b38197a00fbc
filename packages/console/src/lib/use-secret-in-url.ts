import { useState } from 'react'

/** The part of a one-time link after #, which browsers never send to a server. Empty if the link was cut off. */
export function useSecretInUrl(): string {
  const [secret] = useState(() => decodeURIComponent(window.location.hash.slice(1)))
  return secret
}
