import type { FormEvent } from 'react'

/** For a form whose action cannot fail: the browser sends nothing itself. See `useSubmit` for others. */
export function onSubmit(act: () => void) {
  return (event: FormEvent): void => {
    event.preventDefault()
    act()
  }
}
