import { api, send, type Shapes } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import type { paths } from '../../api/schema.d.ts'
import { messageOf } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'

type Change = paths['/organizations/{organization}/keys/{key}']['patch']['requestBody']['content']['application/json']

/** Changes that take one click. A toast says how they went. */
export function useKeyChanges(key: Shapes['Key']) {
  const { organization } = useSession()
  const params = { path: { organization: organization.id, key: key.id } }
  const changing = useChange(organization.id, ['keys'], async (body: Change) =>
    send(api.PATCH('/organizations/{organization}/keys/{key}', { params, body })),
  )
  const ending = useChange(organization.id, ['keys'], async () =>
    send(api.DELETE('/organizations/{organization}/keys/{key}/previous', { params })),
  )
  // Not as callbacks of the mutation: they are dropped when the part of the page that started it is gone.
  async function say(result: Promise<unknown>, done: string): Promise<void> {
    try {
      await result
      showToast(done)
    } catch (error) {
      showToast(messageOf(error))
    }
  }
  return {
    change: (body: Change, done: string) => void say(changing.mutateAsync(body), done),
    endPrevious: () => void say(ending.mutateAsync(undefined), 'Old secret stopped'),
    save: async (body: Change) => changing.mutateAsync(body),
    isBusy: changing.isPending || ending.isPending,
  }
}
