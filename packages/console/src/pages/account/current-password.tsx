import type { ComponentProps } from 'react'
import { TextField } from '../../parts/control/field.tsx'

/** The password of the person who is signed in, to confirm a change of the account. */
export function CurrentPassword(props: ComponentProps<typeof TextField>) {
  return <TextField type="password" required autoComplete="current-password" {...props} />
}
