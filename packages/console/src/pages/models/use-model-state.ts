import { api, send } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { showProblem, showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'

type Wanted = 'enabled' | 'disabled'

/** Both can be undone, so neither asks for confirmation. */
export function useModelState() {
  const { organization } = useSession()
  const { mutateAsync, isPending } = useChange(
    organization.id,
    ['models'],
    async ({ name, state }: { name: string; state: Wanted }) => {
      const params = { path: { organization: organization.id } }
      await send(api.PUT('/organizations/{organization}/models', { params, body: { name, state } }))
    },
  )

  async function change(name: string, state: Wanted, undo?: () => void): Promise<void> {
    try {
      await mutateAsync({ name, state })
      const shown = showOddCharacters(name)
      showToast(state === 'enabled' ? `${shown} is enabled` : `${shown} is disabled. Requests for it get a 403.`, undo)
    } catch (error) {
      showProblem(error)
    }
  }

  return {
    isBusy: isPending,
    enable: (name: string) => void change(name, 'enabled'),
    disable: (name: string) => void change(name, 'disabled', () => void change(name, 'enabled')),
  }
}
