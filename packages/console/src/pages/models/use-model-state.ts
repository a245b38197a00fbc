import { showOddCharacters } from '../../lib/odd-characters.ts'
import { report } from '../../parts/feedback/toasts.tsx'
import { useChange } from '../../session/use-change.ts'

interface Wanted {
  name: string
  state: 'enabled' | 'disabled'
}

/** Both can be undone, so neither asks for confirmation. */
export function useModelState() {
  const { mutateAsync, isPending } = useChange(['models'], async (own, body: Wanted) => own.put('/models', { body }))

  function enable(name: string): void {
    report(mutateAsync({ name, state: 'enabled' }), `${showOddCharacters(name)} is enabled`)
  }

  function disable(name: string): void {
    const done = `${showOddCharacters(name)} is disabled. Requests for it get a 403.`
    report(mutateAsync({ name, state: 'disabled' }), done, () => enable(name))
  }

  return { isBusy: isPending, enable, disable }
}
