import { useState, type FormEvent } from 'react'

/** Runs the action of a form and tracks its progress. A failure stays until the next attempt. */
export function useSubmit(act: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  async function run(): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      await act()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!isBusy) void run()
  }

  return { submit, isBusy, failure }
}
